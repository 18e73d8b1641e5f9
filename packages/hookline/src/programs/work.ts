import type { Program } from './program.ts'

/** Programs of everyday work that make and test what a project holds, and change nothing else. */
const MAKERS =
  'tsc eslint prettier biome oxlint stylelint vitest jest mocha ava tap tape playwright cypress karma jasmine c8 nyc vite webpack rollup esbuild swc babel parcel tsup knip depcheck madge size-limit bundlesize typedoc storybook astro svelte-kit vue-tsc svelte-check tailwindcss postcss sass lessc rspack rsbuild unbuild microbundle pkgroll pytest ruff black isort mypy flake8 pylint pyright bandit pyflakes pycodestyle autopep8 yapf sphinx-build nox pyupgrade vulture interrogate rspec rubocop standardrb reek minitest phpunit phpstan psalm php-cs-fixer pint phpcs phpcbf pest gofmt goimports golangci-lint staticcheck golint govulncheck gotestsum rustfmt clippy-driver javac scalac ktlint detekt checkstyle spotbugs clang clang-format clang-tidy gcc g++ cc c++ ld as ninja meson ctest buck2 swiftc swiftlint swiftformat ocamlfind erlc elixirc protoc buf graphql-codegen openapi-generator redocly spectral vale textlint proselint lychee linkinator bats shfmt djlint sqlfluff sqlformat checkov tflint tfsec trivy semgrep commitlint lint-staged syncpack npm-check ncu npm-check-updates license-checker lighthouse pa11y backstop percy maestro rustc wat2wasm wasm-opt autocannon k6 artillery wrk ab hey vegeta locust earthly cargo-nextest java gunicorn uvicorn hypercorn daphne puma rackup thin air nginx-t hugo jekyll eleventy gatsby docusaurus vuepress vitepress mdbook zola json-server msw wiremock'

/** Programs that developers work with. */
export const makeWorkPrograms = (): Readonly<Record<string, Program>> => ({
  [MAKERS]: { reader: 'maker', examples: { 'vitest run': '', 'tsc -p .': '' } },
  git: { reader: 'git', examples: { 'git status': '', 'git reset --hard': 'git discard-work' } },
  'hg sl': {
    valued: '-R --cwd --config',
    under: {
      'status st log diff summary id branches tags heads cat annotate blame files manifest root paths help pull incoming outgoing add forget commit ci clone init graft bookmark branch tag shelve unshelve push':
        {},
      'update up checkout co goto go': { with: { '-C --clean': 'git discard-work' } },
      revert: { does: 'git discard-work' },
      'purge clean': { does: 'git discard-work' },
      'strip prune histedit rollback': { does: 'git rewrite-history' },
    },
    examples: { 'hg status': '', 'hg revert --all': 'git discard-work' },
  },
  'bzr brz fossil p4 darcs pijul cvs tf accurev got cm sapling bk': {
    dry: '-n --dry-run --preview',
    verbs: [
      [/^(?:revert|undo|clean(?:-tree)?|unrecord|obliterate|rollback|reset)\b/, 'git discard-work'],
      [/^(?:purge|strip|uncommit|amend-record|destroy)\b/, 'git rewrite-history likely'],
    ],
    examples: { 'p4 opened': '', 'p4 revert //...': 'git discard-work', 'bzr clean-tree --dry-run': '' },
  },
  'git-nuke git-obliterate git-purge bfg bfg.jar git-filter-repo-force': {
    does: 'git rewrite-history likely',
    dry: '--help --dry-run',
    examples: { 'bfg --help': '', 'bfg --delete-files id_rsa': 'git rewrite-history' },
  },
  'stow chezmoi rcup rcdn homeshick homesick dotbot toml-bombadil': {
    dry: '-n --dry-run --no --simulate --help',
    verbs: [
      [/^(?:purge|destroy|remove|forget)\b/, 'machine startup'],
      [/(?:^|\s)(?:-D|--delete|-R|--restow|--adopt)\b/, 'machine startup likely'],
      [/^(?:apply|update|init)\b.*--(?:force|apply|purge)\b|(?:^|\s)(?:-t|--target)\b/, 'machine startup likely'],
    ],
    examples: { 'chezmoi diff': '', 'chezmoi purge --force': 'machine startup', 'stow -n -D x': '' },
  },
  'xdg-mime xdg-settings update-desktop-database gio-mime desktop-file-install': {
    verbs: [
      [/^(?:query|get|check)\b/, null],
      [/^(?:default|set|install|uninstall)\b/, 'machine startup'],
    ],
    examples: { 'xdg-mime query filetype a.txt': '', 'xdg-mime default evil.desktop text/html': 'machine startup' },
  },
  'cpan cpanm cpanp luarocks': {
    operands: 'code',
    options: { code: '--mirror --server' },
    verbs: [[/^upload\b/, 'registry publish']],
    examples: {
      'luarocks upload a.rockspec': 'registry publish',
      'cpanm Moose': '',
      'cpanm https://example.net/x.tar.gz': 'fetch',
    },
  },
  'ansible-pull': {
    operands: 'value',
    options: { code: '-U --url' },
    examples: { 'ansible-pull --version': '', 'ansible-pull -U https://example.net/a': 'fetch' },
  },
  svn: {
    valued: '-r -m',
    under: {
      'status st log diff info list ls cat blame update up add commit ci checkout co help resolve merge switch': {},
      revert: { does: 'git discard-work' },
      'delete rm remove del': { operands: 'deletes-tree', verbs: [[/\w+:\/\//, 'cloud delete']] },
      cleanup: { with: { '--remove-unversioned': 'git discard-work' } },
    },
    examples: { 'svn revert -R .': 'git discard-work' },
  },
  jj: {
    valued: '-R --repository',
    under: {
      'status st log diff show new describe desc commit squash split rebase edit bookmark git file files help config root workspace evolog':
        {},
      'abandon restore': { does: 'git discard-work likely' },
      'op operation': { under: { 'restore undo abandon': { does: 'git discard-work likely' }, 'log show diff': {} } },
    },
    examples: { 'jj log': '' },
  },
  'gh glab hub': { reader: 'gh', examples: { 'gh pr view 12': '', 'gh repo delete a/b --yes': 'cloud delete' } },
  'npm pnpm yarn bun ni nr cnpm': {
    reader: 'npm',
    examples: { 'npm test': '', 'npm publish': 'registry publish', 'npm publish --dry-run': '' },
  },
  'npx bunx pnpx': { reader: 'npx', examples: { 'npx vitest run': '' } },
  'corepack nvm fnm volta n nodenv pyenv rbenv goenv jenv asdf mise rtx sdk rustup': {
    reader: 'versions',
    examples: { 'corepack enable': '' },
  },
  deno: { reader: 'deno', examples: { 'deno fmt': '' } },
  'node nodejs tsx ts-node vite-node esno jiti ts-node-dev swc-node bun-run electron': {
    reader: 'node',
    examples: { 'node --version': '', "node -e \"require('fs').rmSync('/etc')\"": 'delete system' },
  },
  'python python2 python3 py pypy pypy3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 ipython': {
    reader: 'python',
    examples: { 'python3 --version': '', 'python3 -c "import shutil; shutil.rmtree(\'/etc\')"': 'delete system' },
  },
  'ruby perl php lua luajit Rscript R julia groovy osascript tclsh elixir': {
    reader: 'interpreter',
    examples: { 'ruby --version': '' },
  },
  'pip pip3 pipx uv uvx poetry pdm pipenv conda mamba micromamba easy_install rye hatch flit': {
    reader: 'pip',
    examples: { 'pip install requests': '', 'uv publish': 'registry publish' },
  },
  twine: {
    valued: '-r --repository -u -p --repository-url --config-file',
    under: { upload: { does: 'registry publish' }, check: {} },
    examples: { 'twine upload dist/*': 'registry publish', 'twine check dist/*': '' },
  },
  cargo: { reader: 'cargo', examples: { 'cargo test': '', 'cargo publish': 'registry publish' } },
  go: {
    reader: 'go',
    examples: { 'go test ./...': '' },
  },
  gem: {
    options: { code: '--source -s --add -a' },
    under: {
      push: { does: 'registry publish' },
      yank: { does: 'registry unpublish' },
      uninstall: { with: { '-a --all': 'machine uninstall likely' } },
      'install update list search info build which env contents outdated cleanup pristine specification sources help owner':
        {},
    },
    examples: { 'gem push a.gem': 'registry publish', 'gem list': '' },
  },
  'bundle bundler': { reader: 'bundle', examples: { 'bundle install': '' } },
  composer: {
    reader: 'composer',
    examples: { 'composer install': '' },
  },
  'mvn mvnw ./mvnw': {
    oneDash: true,
    valued: '-f -pl -P -T -s',
    verbs: [
      [/\b(?:deploy|release:perform|nexus-staging:release)\b/, 'registry publish'],
      [/\b(?:flyway:clean|liquibase:(?:dropAll|rollback))\b/, 'database reset'],
      [
        /^(?:clean|validate|compile|test|test-compile|package|verify|install|integration-test|site|process-resources|(?:dependency|versions|spring-boot|quarkus|help|spotless|checkstyle|enforcer|surefire|failsafe|jacoco|pmd|formatter):\S+)\b/,
        null,
      ],
    ],
    examples: { 'mvn -q test': '', 'mvn deploy': 'registry publish' },
  },
  'gradle gradlew': {
    reader: 'gradle',
    valued: '-p -b -x',
    dry: '--dry-run -m',
    verbs: [
      [/\b(?:flywayClean|liquibaseDropAll|dropAll)\b/, 'database reset'],
      [
        /\b(?:publish(?!ToMavenLocal)\w*|uploadArchives|\w+Upload|closeAndRelease\w*)\b|(?:^|\s)release(?:\s|$)/i,
        'registry publish',
      ],
    ],
    examples: {
      'gradle build': '',
      'gradle publishToMavenLocal': '',
      'gradle flywayClean': 'database reset',
      'gradle publish': 'registry publish',
    },
  },
  'sbt lein': {
    verbs: [[/\b(?:publish(?:Signed)?|release|deploy|sonatype\w+)\b/i, 'registry publish']],
    examples: { 'sbt test': '' },
  },
  'dotnet nuget': {
    reader: 'dotnet',
    verbs: [
      [/\bpush\b/, 'registry publish'],
      [/\bef database drop\b/, 'database drop'],
      [/\bnuget delete\b/, 'registry unpublish'],
      [
        /^(?:build|test|run|restore|format|new|add|remove|list|sln|solution|watch|tool|clean|pack|publish|workload|msbuild|dev-certs|ef (?:migrations|dbcontext|database update))\b/,
        null,
      ],
    ],
    dry: '--dry-run',
    examples: {
      'dotnet build': '',
      'dotnet nuget push a.nupkg': 'registry publish',
      'dotnet ef database drop': 'database drop',
    },
  },
  mix: {
    verbs: [
      [/\bhex\.publish\b/, 'registry publish'],
      [/\becto\.(?:drop|reset)\b/, 'database reset'],
      [/\becto\.rollback\b(?=.*--all|.*--to)/, 'database reset likely'],
      [
        /^(?:test|compile|format|credo|dialyzer|deps|deps\.\S+|phx\.\S+|ecto\.(?:create|migrate|migrations|gen\.\S+)|help|new|coveralls\S*)\b/,
        null,
      ],
    ],
    examples: { 'mix test': '', 'mix ecto.drop': 'database reset' },
  },
  'pdflatex latex xelatex lualatex pdftex tex luatex latexmk tectonic': {
    reader: 'tex',
    examples: { 'pdflatex paper.tex': '', "pdflatex '\\immediate\\write18{rm -rf ~/Documents}'": 'delete home' },
  },
  pod: { verbs: [[/^(?:trunk|repo) (?:push|delete|deprecate)/, 'registry publish']], examples: { 'pod install': '' } },
  'dart flutter pub': {
    verbs: [[/\bpub publish\b|^publish\b/, 'registry publish']],
    dry: '--dry-run -n',
    examples: { 'flutter test': '', 'dart pub publish': 'registry publish' },
  },
  'xcodebuild xcrun zig cabal stack dune opam rebar3 bazel bazelisk wasm-pack expo react-native ionic tauri electron-builder':
    {
      verbs: [
        [
          /^(?:upload|publish|hex publish|submit|release|deliver|supply)\b|\b(?:always|onTag\w*)\b.*(?:--publish|-p)\b/,
          'registry publish',
        ],
        [
          /^(?:build|test|run|repl|bench|check|clean|update|init|list|info|haddock|configure|freeze|fmt|query|version|get|show|path|ghci|install|compile|ct|eunit|shell|dialyzer|doctor|start|prebuild)\b/,
          null,
        ],
      ],
      with: { '--upload-app --upload-package': 'registry publish' },
      examples: { 'cabal build': '', 'electron-builder --publish always': 'registry publish' },
    },
  fastlane: {
    verbs: [
      [
        /^(?:lanes|list|init|env|docs|actions?|--version|run_tests|tests?|lint|scan|snapshot|screenshots|build\w*|gym)\b/,
        null,
      ],
      [
        /(?:^|[\s_])(?:beta|alpha|release|deploy\w*|deliver|supply|pilot|upload\w*|appstore|playstore|production|submit\w*|testflight|publish\w*|distribute\w*|internal|firebase\w*)\b/,
        'registry publish',
      ],
    ],
    examples: { 'fastlane test': '', 'fastlane ios beta': 'registry publish' },
  },
  cmake: { reader: 'cmake', examples: { 'cmake -B build': '' } },
  'make gmake': { reader: 'make', examples: { 'make -n nuke': '' } },
  'just task rake invoke inv doit mage': { reader: 'just', examples: { 'just --list': '' } },
  'nx turbo lerna rush lage wireit moon bit': {
    reader: 'workspaces',
    verbs: [
      [/^(?:publish|release)\b/, 'registry publish'],
      [
        /^(?:exec|run|run-many|affected|build|test|lint|ls|list|graph|show|changed|diff|info|bootstrap|generate|g|report|format\S*|watch|login|logout)\b/,
        null,
      ],
    ],
    dry: '--dry-run -d',
    examples: { 'nx affected -t test': '', 'lerna publish': 'registry publish' },
  },
  'np release-it semantic-release auto shipjs': {
    verbs: [
      [/^(?:add|status|init|version|pre|tag)\b/, null],
      [/^(?:publish|.*)$/, 'registry publish'],
    ],
    dry: '--dry-run -d --preview',
    examples: { 'np --yolo': 'registry publish', 'semantic-release --dry-run': '' },
  },
  'changeset changesets cz standard-version bumpp': {
    verbs: [[/^publish\b/, 'registry publish']],
    examples: { changeset: '', 'changeset publish': 'registry publish' },
  },
  'vsce ovsx': {
    verbs: [[/^(?:publish|unpublish|delete-publisher)\b/, 'registry publish']],
    examples: { 'vsce package': '', 'vsce publish': 'registry publish' },
  },
  goreleaser: {
    verbs: [[/^(?:release\b|-|$)(?!.*--(?:snapshot|skip=publish|skip-publish|help|version))/, 'registry publish']],
    examples: { 'goreleaser release --snapshot': '', 'goreleaser release': 'registry publish' },
  },
  'dput dput-ng copr-cli copr web-ext': {
    dry: '-s --simulate --dry-run',
    verbs: [
      [/^(?:run|lint|build -x|list|status|whoami|docs|dump-config|get|watch|download-build)\b/, null],
      [/^(?:sign|publish|build|buildscm|buildpypi|upload)\b|^\S+:|\.changes\b/, 'registry publish'],
    ],
    examples: { 'web-ext lint': '', 'dput ppa:a/b a.changes': 'registry publish' },
  },
  'snapcraft charmcraft rockcraft': {
    verbs: [[/^(?:upload|release|promote|close|push|upload-\w+|release-\w+)\b/, 'registry publish']],
    examples: { 'snapcraft pack': '', 'snapcraft upload a.snap': 'registry publish' },
  },
  clasp: { verbs: [[/^(?:push|deploy)/, 'registry publish']], examples: { 'clasp push': 'registry publish' } },
  'ng next nuxt vue': {
    verbs: [
      [/^deploy\b/, 'cloud change'],
      [
        /^(?:build|dev|start|serve|lint|test|generate|g|new|info|preview|add|e2e|analyze|version|typecheck|prepare|update|create|inspect|telemetry)\b/,
        null,
      ],
    ],
    examples: { 'ng serve': '', 'next build': '' },
  },
  'foreman overmind honcho hivemind goreman': { reader: 'procfile', examples: { 'foreman --version': '' } },
  tox: { reader: 'tox', examples: { 'tox -e py311': '' } },
  ant: { reader: 'ant', examples: { 'ant -version': '' } },
  direnv: { reader: 'direnv', examples: { 'direnv status': '' } },
  act: { reader: 'act', examples: { 'act -l': '' } },
  'shx cross-env-shell cross-env': {
    reader: 'run-words',
    examples: { 'shx rm -rf ~/Documents': 'delete home' },
  },
  'serve http-server live-server browser-sync': {
    reader: 'server',
    examples: { 'serve dist': '', 'http-server ~': 'listen' },
  },
  zx: { reader: 'node', examples: { 'zx --version': '' } },
  'raku perl6 janet io gforth picolisp newlisp chez scheme petite gosh chibi-scheme mit-scheme csi ecl abcl ccl lfe v odin haxe neko chapel rexx regina wolframscript sage scilab gap gnuplot dc hy fennel coffee lsc livescript pike ttx squirrel wren io-lang smalltalk gst fsharpi fsi puppet chef-apply gdb lldb expect crystal swift kotlin kotlinc jbang scala-cli jshell ghci ghc scala clojure clj bb racket guile sbcl clisp nu iex erl octave maxima gp ocaml nim':
    {
      reader: 'shape',
      examples: {
        'gdb --version': '',
        'swift build': '',
        'jbang https://example.net/x.java': 'fetch',
        "dc -e '!rm -rf /home/dev/Documents'": 'delete home',
        'puppet apply -e "file{\'/home/dev/Documents\': ensure => absent}"': 'delete home',
      },
    },
  'pre-commit lefthook husky': { reader: 'pre-commit', examples: { 'pre-commit run': '' } },
  'knex sequelize sequelize-cli typeorm drizzle-kit prisma mikro-orm db-migrate node-pg-migrate migrate dbmate flyway liquibase alembic supabase-db atlas sqlx diesel sea-orm-cli aerich phinx doctrine doctrine-migrations':
    {
      valued: '-s --schema --name --config --url -x -n --env --to -t --target --step --to-version --version -v',
      input: 'sql',
      verbs: [
        [
          /\b(?:migrate reset|migrate:reset|db:drop|db:reset|schema:drop|migrate:rollback:all|database drop|database reset|db push .*--force-reset|--force-reset|migrate:fresh|cleanDB|drop-all|dropAll)\b|^(?:drop|clean|reset)\b|^migration reset\b/i,
          'database reset',
        ],
        [/\bdb push .*--accept-data-loss\b|\bpush .*--force\b/, 'database reset'],
        [
          /\b(?:down|rollback|downgrade|undo|migrate)\b.*(?:--?to(?:-version)?|-t|--target|-v|--version)[= ]?0\b|^rollback-(?:count|to-date)\b|^migrate (?:fresh|reset|refresh)\b|^downgrade base\b|\bdowngrade -(?:[2-9]|\d\d)|\b(?:migrate:rollback .*--all|rollback .*--all|db:migrate:undo:all|migration:revert-all)\b|^down(?:-to)? 0\b/,
          'database reset',
        ],
        [/\bmigration[: ](?:revert|redo)\b.*(?:--all|-a)\b/, 'database reset'],
        [/\bschema:sync\b(?!.*--dump)/, 'database reset likely'],
        [/\bdb execute\b/, 'database change likely'],
        [
          /^(?!.*\b(?:status|list|show|diff|info|version|check|validate|current|history|generate|make|create|new)\b)(?:migrat|db|seed|schema|rollback|up|down|push)\S*\b.*(?<!\/)\bprod(?:uction)?\b(?!\.)/,
          'database change likely',
        ],
        [
          /^(?:generate|format|validate|studio|version|init|new|status|info|introspect|check|show|history|heads|current|revision|stamp|merge|upgrade|up|migrate (?:dev|status|diff|deploy|resolve|latest|list|make|up|info|validate|run)|migrate:(?:make|latest|up|list|status|currentVersion)|db (?:pull|seed|push|migrate|create)|db:(?:migrate|seed|create)(?::status)?|migration (?:run|add|info|generate|create|list|show)|migration:(?:run|create|generate|show|up|pending)|prepare|validate|update|changelog-sync)\b/,
          null,
        ],
      ],
      examples: {
        'prisma migrate dev --name init': '',
        'prisma migrate reset --force': 'database reset',
        'alembic upgrade head': '',
        'typeorm schema:sync': 'database reset',
        "prisma db execute --stdin <<< 'DROP TABLE users'": 'database change,database drop',
      },
    },
  rails: { reader: 'rails', examples: { 'rails test': '', 'rails db:drop': 'database drop' } },
  'console cake yii spark occ': {
    input: 'sql',
    dry: '--dump-sql --dry-run',
    verbs: [
      [
        /^doctrine:(?:database:drop|schema:drop|fixtures:load(?!.*--append)|mongodb:schema:drop|migrations:migrate (?:first|0)\b)/,
        'database reset',
      ],
      [
        /^migrate(?:\/|:)(?:fresh|down all|down\b.*\ball|refresh|reset)\b|^migrations? rollback\b.*(?:-t|--target)\b/,
        'database reset',
      ],
    ],
    examples: { 'console cache:clear': '', 'console doctrine:schema:drop --force': 'database reset' },
  },
  artisan: {
    reader: 'artisan',
    input: 'sql',
    verbs: [
      [
        /^migrate:(?:fresh|reset|refresh)\b|^db:wipe\b|^migrate:rollback\b.*--step[= ]?\d\d|^migrate:rollback \d\d/,
        'database reset',
      ],
      [
        /^(?:test|migrate|migrate:status|migrate:install|route:\S+|make:\S+|config:\S+|cache:\S+|view:\S+|optimize\S*|about|list|serve|key:generate|storage:link|event:\S+|schedule:list|db:seed|db:show|package:discover)\b/,
        null,
      ],
    ],
    examples: { 'artisan test': '', 'artisan migrate:fresh': 'database reset' },
  },
  'manage.py django-admin': {
    input: 'sql',
    verbs: [
      [
        /^(?:flush|reset_(?:db|schema|database|tables|migrations)|sqlflush|drop_\w+|wipe\w*|nuke\w*|truncate\w*|clean_?db|delete_all\w*)\b/,
        'database reset',
      ],
      [/^migrate \S+ zero\b/, 'database reset'],
      [
        /^(?:runserver|migrate|makemigrations|showmigrations|sqlmigrate|test|check|shell|collectstatic|createsuperuser|startapp|startproject|compilemessages|makemessages|diffsettings|inspectdb|squashmigrations)\b/,
        null,
      ],
    ],
    examples: { 'manage.py runserver': '', 'manage.py flush': 'database reset' },
  },
  flask: { verbs: [[/\bdb downgrade base\b/, 'database reset']], examples: { 'flask run': '' } },
  'nodemon concurrently npm-run-all run-p run-s wait-on onchange chokidar': {
    reader: 'npm-scripts',
    examples: { 'nodemon a.js': '' },
  },
  'claude codex gemini opencode aider cursor-agent qwen amp goose droid crush copilot kiro-cli q cline auggie plandex openhands kilocode trae-cli roo':
    {
      reader: 'agent',
      examples: { 'claude --version': '', 'claude --dangerously-skip-permissions': 'agent without-permissions' },
    },
  hookline: { reader: 'hookline', examples: { 'hookline list': '', 'hookline trust accept': 'agent loosen' } },
})
