import type { Program } from './program.ts'

/** Programs of single languages: what compiles, tests, checks, packs and publishes in them. */
export const makeLanguagePrograms = (): Readonly<Record<string, Program>> => ({
  // C, C++, assemblers and what they make
  'nasm yasm windres flang gfortran nvcc emcc em++ dmd ldc2 gdc fpc gnat gnatmake vala valac cobc': {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '-f -I -L -l -D -x -g -std -arch -target',
    examples: { 'nasm -f elf64 a.asm -o a.o': 'write built', 'gfortran a.f90 -o ~/.bashrc': 'write startup' },
  },
  'strip ranlib patchelf install_name_tool chrpath': {
    operands: 'edits',
    options: { writes: '-o --output' },
    valued: '--set-interpreter --set-rpath --add-needed --remove-needed --replace-needed -K -N -R --keep-symbol',
    examples: { 'strip dist/a': 'write built', 'strip -s /usr/bin/git': 'write system' },
  },
  'objcopy dsymutil': {
    operands: 'uses writes',
    options: { writes: '-o -output -create' },
    oneDash: true,
    valued: '-I -O -j -R --input-target --output-target --only-section -arch -thin -B',
    examples: { 'objcopy -O binary dist/a.elf dist/a.bin': 'write built', 'objcopy --version': '' },
  },
  'c++filt dwarfdump pahole gcov size-diff bloaty': {
    operands: 'uses',
    valued: '-e -C -n -d -s --tool',
    examples: { 'c++filt _Z1a': '', 'dwarfdump dist/a': '' },
  },
  'lcov genhtml gcovr': {
    operands: 'uses',
    options: { writes: '-o --output --output-file --output-directory --html --xml --json' },
    valued: '-a -c -d -r -e --directory --root --capture --remove --exclude --filter',
    examples: { 'gcovr -r . --html coverage/index.html': 'write built', 'genhtml a.info -o /etc/x': 'write system' },
  },
  'cppcheck cpplint include-what-you-use cmake-lint cmake-format uncrustify astyle indent': {
    reader: 'maker',
    examples: { 'cppcheck src': '', 'uncrustify -c a.cfg src/a.c': '' },
  },
  'autoconf automake autoreconf autoheader aclocal libtoolize libtool pkg-config pkgconf gn gyp premake5 qmake samu': {
    operands: 'value',
    options: { makes: '--output --destdir' },
    valued: '-C -f -j -B',
    examples: { 'autoreconf -fi': '', 'pkg-config --libs openssl': '' },
  },
  vcpkg: {
    under: {
      'install list search update upgrade integrate version new format-manifest x-update-baseline depend-info owns': {},
      remove: { operands: 'value' },
    },
    examples: { 'vcpkg install fmt': '', 'vcpkg remove fmt': '' },
  },
  xmake: {
    under: {
      'build b run r install i test package p require q create f config g global show clean c project': {},
      uninstall: { operands: 'value' },
    },
    examples: { 'xmake build': '' },
  },
  'wasmtime wasmer wasm3 wasm-tools wasm-objdump wasm2wat': {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '--invoke --dir --mapdir --env',
    examples: { 'wasmtime run a.wasm': '', 'wasm2wat a.wasm -o a.wat': 'write project' },
  },
  // Rust
  'cargo-deny cargo-audit cargo-outdated cargo-expand cargo-llvm-cov cargo-machete cargo-udeps bacon cbindgen bindgen rust-analyzer wasm-bindgen':
    {
      operands: 'uses',
      options: { writes: '-o --output --out-dir' },
      valued: '-p --package --features --target --manifest-path -c --config --lang -l',
      examples: { 'cargo-deny check': '', 'cbindgen -o include/a.h': 'write project' },
    },
  'cargo-release cargo-smart-release release-plz': {
    dry: '--dry-run -n',
    verbs: [
      [/--execute\b|-x\b|^release$/, 'registry publish'],
      [/^(?:update|release-pr|config|changes)\b/, null],
    ],
    examples: { 'cargo-release release patch --execute': 'registry publish', 'release-plz update': '' },
  },
  trunk: {
    under: { 'build serve watch clean check fmt tools config': {}, upgrade: {} },
    examples: { 'trunk build --release': '' },
  },
  maturin: {
    under: {
      'build develop new init sdist list-python generate-ci': {},
      'publish upload': { does: 'registry publish' },
    },
    examples: { 'maturin develop': '', 'maturin publish': 'registry publish' },
  },
  // Go
  'sqlc wire mockgen mockery stringer swag ent templ golines gci gofumpt gotests go-licenses gocyclo revive errcheck deadcode':
    {
      reader: 'maker',
      examples: { 'sqlc generate': '', 'mockgen -source src/a.go': '' },
    },
  'dlv delve': {
    operands: 'uses',
    valued: '--listen -l --headless --log-dest --build-flags --wd',
    examples: { 'dlv debug ./cmd/app': '' },
  },
  ko: {
    under: {
      'build publish resolve run create': { does: 'registry publish likely', dry: '--local -L' },
      apply: { does: 'cluster change likely' },
      delete: { does: 'cluster delete' },
      'version deps login': {},
    },
    examples: { 'ko version': '', 'ko build ./cmd/app': 'registry publish', 'ko delete -f k8s': 'cluster delete' },
  },
  // Java, Kotlin, Scala, Clojure
  jar: {
    reader: 'tar',
    examples: { 'jar tf a.jar': '' },
  },
  'javap jps jstack jstat jinfo jdeps jconsole visualvm jfr': {
    operands: 'uses',
    valued: '-cp -classpath --module-path',
    examples: { 'javap -c Main.class': '', 'jstack 123': '' },
  },
  'jcmd jmap': {
    operands: 'value',
    verbs: [[/\b(?:VM\.(?:set_flag|set_system_property)|ManagementAgent\.start)\b/, 'machine process likely']],
    examples: { 'jcmd 123 Thread.print': '', 'jmap -histo 123': '' },
  },
  keytool: {
    oneDash: true,
    options: { writes: '-file -destkeystore', reads: '-srckeystore' },
    valued:
      '-alias -keystore -storepass -keypass -dname -validity -keyalg -keysize -storetype -ext -infile -deststorepass -srcstorepass',
    with: { '-delete': 'machine security likely', '-cacerts': 'machine security likely' },
    examples: {
      'keytool -list -keystore a.jks': '',
      'keytool -delete -alias a -keystore a.jks': 'machine security',
    },
  },
  'jarsigner apksigner zipalign': {
    operands: 'edits',
    oneDash: true,
    valued: '-keystore -storepass -keypass -signedjar --ks --ks-pass --key-pass --ks-key-alias --out -tsa',
    options: { writes: '-signedjar --out' },
    examples: { 'jarsigner -keystore a.jks dist/a.jar key': 'write built' },
  },
  'jlink jpackage native-image': {
    operands: 'value',
    options: { makes: '--output --dest -d -o' },
    valued: '--module-path -p --add-modules --name -n --input -i --main-jar --main-class --type -t -jar -cp',
    examples: { 'jlink --add-modules java.base --output dist/jre': 'write built' },
  },
  'coursier cs': {
    operands: 'value',
    options: { code: '-r --repository' },
    examples: { 'cs fetch org.scalameta::munit:1.0.0': '' },
  },
  'mill bleep seed': {
    verbs: [[/\bpublish\w*|PublishModule\/publishAll\b/, 'registry publish']],
    examples: { 'mill app.test': '', 'mill app.publish': 'registry publish' },
  },
  quarkus: {
    under: {
      'dev build test create extension ext image info update version run list': {},
      deploy: { does: 'cloud change' },
    },
    examples: { 'quarkus build': '', 'quarkus deploy kubernetes': 'cloud change' },
  },
  // JavaScript and TypeScript
  'terser uglifyjs cleancss html-minifier-terser purgecss rollup-plugin esno-bundle browserify': {
    operands: 'reads',
    options: { writes: '-o --output --out' },
    valued: '-c -m -b --config --source-map --comments -css --css --content',
    examples: { 'terser src/a.js -o dist/a.js': 'write built', 'terser .env': 'read secret' },
  },
  'depcruise dependency-cruiser jscpd ts-prune ts-unused-exports attw publint api-extractor source-map-explorer webpack-bundle-analyzer size-plugin html-validate htmlhint alex write-good markdownlint-cli2 remark jsdoc2md documentation testcafe nightwatch wdio cucumber-js web-test-runner wtr uvu tsd expect-type zx-test dprint standard xo eslint_d prettierd':
    {
      reader: 'maker',
      examples: { 'jscpd src': '', 'markdownlint-cli2 docs --fix': '', 'depcruise src': '' },
    },
  'degit tiged giget': {
    operands: 'value makes',
    examples: { 'degit user/repo app': 'write project', 'degit user/repo ~/.ssh': 'write secret' },
  },
  'yo plop hygen turbo-gen cookiecutter copier cruft cobra-cli': {
    operands: 'value',
    options: { makes: '-o --output-dir' },
    valued: '--checkout --directory --config-file -d --data -f',
    examples: { 'plop component Button': '', 'cookiecutter gh:audreyr/a -o ~/.ssh': 'write secret' },
  },
  'node-gyp prebuildify prebuild node-pre-gyp': {
    under: {
      'configure build rebuild clean install list headers testpackage package': {},
      'publish unpublish': { does: 'registry publish' },
    },
    operands: 'value',
    valued: '--target --arch -t --napi',
    examples: { 'node-gyp rebuild': '', 'node-pre-gyp publish': 'registry publish' },
  },
  'yalc verdaccio': {
    operands: 'value',
    valued: '-l --listen -c --config',
    examples: { 'yalc publish': '', 'yalc add left-pad': '' },
  },
  'ncc nexe caxa nlx taze sort-package-json fixpack prettier-package-json tsc-watch ttsc tspc ts-patch changelogithub':
    {
      reader: 'maker',
      examples: { 'ncc build src/index.ts': '', 'taze major': '' },
    },
  'patch-package simple-git-hooks npm-check-unused': {
    operands: 'value',
    examples: { 'patch-package left-pad': '' },
  },
  nest: {
    under: { 'new build start info add update generate g': {} },
    examples: { 'nest build': '', 'nest g module a': '' },
  },
  // Python
  'docformatter autoflake pyment reorder-python-imports add-trailing-comma ssort nbstripout blacken-docs eradicate': {
    reader: 'in-place',
    examples: {
      'autoflake --in-place src/a.py': 'write project',
      'docformatter --check src/a.py': '',
      'nbstripout ~/Documents/a.ipynb': 'write home',
    },
  },
  'pydoc pyan pycallgraph pydeps pip-licenses pip-audit pipdeptree safety cython cythonize nuitka pyinstaller briefcase green nose2 stestr hypothesis':
    {
      operands: 'uses',
      options: { makes: '-o --output --distpath --workpath' },
      valued: '-m -p -c -r -n --rcfile --data-file --source --omit --include --name --format',
      examples: { 'pip-audit -r requirements.txt': '', 'cython a.pyx -o a.c': 'write project' },
    },
  'coverage memray': {
    under: {
      'report html xml json lcov erase combine debug annotate table flamegraph tree summary stats': {
        operands: 'uses',
        options: { writes: '-o --output', makes: '-d --directory' },
        valued: '--data-file --rcfile --include --omit --format',
      },
    },
    examples: { 'coverage report -m': '', 'memray flamegraph a.bin -o ~/.bashrc': 'write startup' },
  },
  'mprof viztracer pyinstrument kernprof scalene torchrun accelerate deepspeed streamlit gradio panel voila bokeh chainlit':
    {
      reader: 'python',
      examples: {
        'streamlit run app.py': '',
        'scalene --version': '',
        'torchrun -c \'import shutil; shutil.rmtree("/etc")\'': 'delete system',
      },
    },
  'pip-compile pip-sync': {
    operands: 'uses',
    options: { writes: '-o --output-file', code: '-i --index-url --extra-index-url -f --find-links' },
    valued: '-r -c --extra',
    examples: { 'pip-compile requirements.in -o requirements.txt': 'write project' },
  },
  'virtualenv pyvenv': {
    operands: 'makes',
    valued: '-p --python --prompt',
    examples: { 'virtualenv .venv': 'write built' },
  },
  'bumpversion bump2version bump-my-version towncrier commitizen': {
    dry: '-n --dry-run --draft',
    verbs: [
      [/--commit\b|--tag\b/, 'git commit'],
      [/(?:)/, null],
    ],
    examples: { 'bumpversion patch': '', 'bumpversion patch --commit': 'git commit' },
  },
  papermill: {
    operands: 'reads writes',
    valued: '-p -r -f -k -y --kernel --parameters_file',
    examples: { 'papermill a.ipynb out.ipynb': 'write project', 'papermill a.ipynb ~/.bashrc': 'write startup' },
  },
  jupytext: {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '--to --from --pipe --set-formats',
    examples: { 'jupytext --to py a.ipynb': '', 'jupytext --to py a.ipynb -o src/a.py': 'write project' },
  },
  scrapy: {
    under: {
      'crawl runspider parse': {
        operands: 'value',
        options: { writes: '-o -O --output --overwrite-output' },
        valued: '-a -s',
      },
      'list check bench version settings startproject genspider edit shell fetch view': {},
    },
    examples: { 'scrapy list': '', 'scrapy crawl a -o out.json': 'write project' },
  },
  dbt: {
    under: {
      'run test build compile seed docs deps debug ls list parse snapshot source clean init show freshness clone': {},
      'run-operation': { does: 'database change likely' },
      retry: {},
    },
    examples: { 'dbt run': '', 'dbt run-operation drop_schema': 'database change' },
  },
  // Ruby, PHP, Elixir, Haskell, OCaml and others
  'brakeman bundler-audit bundle-audit erblint haml-lint slim-lint solargraph ruby-lsp steep sorbet srb tapioca yard ri rdoc foodcritic cookstyle debride flog flay fasterer racc':
    {
      reader: 'maker',
      examples: { 'brakeman -q': '', 'yard doc': '' },
    },
  'rector infection deptrac phan psysh codecept kahlan grumphp parallel-lint php-parallel-lint churn': {
    reader: 'maker',
    examples: { 'rector process src --dry-run': '', 'infection --threads=4': '' },
  },
  symfony: {
    verbs: [
      [/\bdoctrine:(?:database:drop|schema:drop)\b/, 'database drop'],
      [/\bdoctrine:(?:fixtures:load\b(?!.*--append)|migrations:migrate first)\b/, 'database reset'],
      [/^(?:cloud:|platform)?deploy\b|^cloud:(?:push|env:delete|project:delete)\b/, 'cloud change'],
      [/(?:)/, null],
    ],
    examples: { 'symfony console cache:clear': '', 'symfony console doctrine:database:drop --force': 'database drop' },
  },
  'pecl pear': {
    under: {
      'install upgrade uninstall list info search config-get config-show version channel-info remote-list': {},
      'config-set channel-discover': { does: 'machine settings likely' },
    },
    examples: { 'pecl list': '', 'pecl config-set php_ini /tmp/x': 'machine settings' },
  },
  'hlint ormolu fourmolu stylish-haskell brittany ghcid hpack haddock weeder hie-bios ocamlformat ocp-indent merlin utop-full credo dialyzer':
    {
      reader: 'maker',
      examples: { 'hlint src': '', 'ormolu --mode check src/Main.hs': '' },
    },
  gleam: {
    under: {
      'build test run check format fix add remove deps new docs clean export lsp shell update help': {},
      publish: { does: 'registry publish' },
      hex: { under: { 'retire revert': { does: 'registry unpublish' }, 'unretire authenticate': {} } },
    },
    examples: {
      'gleam test': '',
      'gleam publish': 'registry publish',
      'gleam hex retire a 1.0.0': 'registry unpublish',
    },
  },
  'elm elm-test elm-format elm-review spago purs purescript bower elm-land': {
    verbs: [
      [/^publish\b/, 'registry publish'],
      [/(?:)/, null],
    ],
    examples: { 'elm make src/Main.elm': '', 'elm publish': 'registry publish' },
  },
  'nimble shards dub alr raco jpm lake elan zef quicklisp roswell ros': {
    verbs: [
      [/^(?:publish|upload|pkg catalog)\b/, 'registry publish'],
      [/(?:)/, null],
    ],
    examples: { 'nimble test': '', 'shards install': '', 'alr publish': 'registry publish' },
  },
  'prove perltidy perlcritic podchecker pod2text pod2man perldoc plackup minil dzil': {
    operands: 'uses',
    options: { writes: '-o --outfile' },
    valued: '-I -j -p --profile -l',
    examples: { 'prove -l t': '', 'perltidy src/a.pl -o src/b.pl': 'write project' },
  },
  // Phones and boards
  'xcbeautify xcpretty swiftgen sourcery tuist mint carthage xcodegen periphery swift-format xctestplan agvtool ktfmt diktat paparazzi':
    {
      reader: 'maker',
      examples: { xcpretty: '', 'tuist generate': '', 'xcodegen generate': '' },
    },
  'xcode-select': {
    verbs: [
      [/--(?:switch|reset|install)\b|(?:^|\s)-[sr]\b/, 'machine settings likely'],
      [/(?:)/, null],
    ],
    examples: { 'xcode-select -p': '', 'xcode-select --switch /x': 'machine settings' },
  },
  'codesign productsign pkgbuild productbuild notarytool altool stapler': {
    oneDash: true,
    operands: 'value',
    verbs: [[/^(?:submit|store-credentials)\b|--(?:upload-app|upload-package)\b/, 'registry publish']],
    examples: { 'codesign -v dist/a.app': '', 'notarytool submit a.zip': 'registry publish' },
  },
  'plutil PlistBuddy': {
    reader: 'in-place',
    examples: { 'plutil -p a.plist': '', 'plutil -replace A -string b ~/Documents/a.plist': 'write home' },
  },
  'sdkmanager avdmanager emulator aapt aapt2 bundletool dexdump d8 r8': {
    operands: 'value',
    options: { makes: '--output' },
    valued: '--sdk_root -n --name -k --package -avd --bundle --ks',
    examples: { 'sdkmanager --list': '', 'aapt2 dump badging a.apk': '' },
  },
  'arduino-cli platformio pio west idf.py espflash probe-rs cargo-embed teensy_loader_cli mpremote rshell ampy': {
    verbs: [
      [/\b(?:erase|erase-flash|erase_flash|erase-region|format|mass-erase)\b/, 'machine disk likely'],
      [/^(?:package|pkg) publish\b/, 'registry publish'],
      [/(?:)/, null],
    ],
    examples: {
      'pio run -t upload': '',
      'arduino-cli compile': '',
      'idf.py erase-flash': 'machine disk',
      'pio pkg publish': 'registry publish',
    },
  },
  // Chains
  'forge cast anvil chisel-sol foundryup': {
    verbs: [
      [/--broadcast\b|^(?:send|publish|create)\b/, 'cloud change'],
      [/^wallet (?:decrypt-keystore|private-key)\b/, 'cloud secret'],
      [/(?:)/, null],
    ],
    examples: { 'forge test -vv': '', 'cast balance 0x1': '', 'cast send 0x1 --value 1ether': 'cloud change' },
  },
  'hardhat truffle brownie ape anchor solana spl-token near soroban stellar sui aptos': {
    verbs: [
      [
        /^(?:ignition )?(?:deploy|migrate|transfer|upgrade|publish|mint|burn|send|delegate-stake|close|withdraw-\S+)\b|^program (?:deploy|close|extend)\b|\bcontract deploy\b|\bclient (?:publish|transfer\S*|pay)\b|\bmove publish\b/,
        'cloud change',
      ],
      [/(?:)/, null],
    ],
    examples: { 'hardhat test': '', 'solana balance': '', 'solana transfer A 1': 'cloud change' },
  },
  'solc slither mythril solhint vyper': {
    operands: 'uses',
    options: { makes: '-o --output-dir' },
    oneDash: false,
    valued: '--base-path --include-path --combined-json --json',
    examples: { 'solc --bin a.sol -o dist/sol': 'write built', 'slither .': '' },
  },
})
