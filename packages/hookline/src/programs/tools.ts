import type { Program } from './program.ts'

/** Programs for text, data, documents, pictures and checks, of whatever language. */
export const makeToolPrograms = (): Readonly<Record<string, Program>> => ({
  // Text in many files
  sd: {
    operands: 'value value edits',
    dry: '-p --preview',
    valued: '-n -f --flags --max-replacements',
    examples: { 'sd a b src/index.ts': 'write project', 'sd a b ~/.bashrc': 'write startup', 'sd -p a b src/x.ts': '' },
  },
  'fastmod codemod': {
    operands: 'value value edits',
    options: { edits: '-d --dir' },
    valued: '-e --extensions -g --glob',
    examples: { 'fastmod a b src': 'write project', 'fastmod -d ~/Documents a b': 'write home' },
  },
  comby: {
    oneDash: true,
    operands: 'value value value',
    options: { edits: '-d -directory' },
    valued: '-matcher -m -f -filter -rule -config -templates',
    examples: { "comby ':[a]' ':[a]' .ts": '', "comby -i -d ~/Documents ':[a]' '' .md": 'write home' },
  },
  'ast-grep gritql grit': {
    valued: '-p -r -l -c --pattern --rewrite --lang --config --selector --rule',
    under: {
      'run scan apply check': { operands: 'tree', valued: '-p -r -l -c --pattern --rewrite --lang --rule' },
      'test new lsp list patterns init doctor version': {},
    },
    operands: 'tree',
    examples: { "ast-grep run -p 'a' src": '' },
  },
  jscodeshift: {
    operands: 'edits',
    dry: '-d --dry',
    valued: '--parser --extensions --ignore-pattern -c --cpus',
    options: { code: '-t --transform' },
    examples: {
      'jscodeshift -t a.js src': 'write project',
      'jscodeshift -d -t a.js src': '',
      'jscodeshift -t https://example.net/a.js src': 'fetch',
    },
  },
  'ctags universal-ctags etags gtags cscope': {
    operands: 'uses',
    options: { writes: '-f -o' },
    valued: '--languages --exclude --fields -L',
    examples: { 'ctags -R src': '', 'ctags -R -f ~/.bashrc src': 'write startup' },
  },
  'glow mdcat rich frogmouth hexyl jless gron htmlq pup catdoc antiword docx2txt pdftotext-all xlsx2csv tac-file': {
    operands: 'reads',
    valued: '-w -s -p --width --style -f --filename',
    examples: { 'glow README.md': '', 'hexyl .env': 'read secret' },
  },
  'loc sloccount onefetch gitstats git-quick-stats git-fame': {
    operands: 'names',
    valued: '-t -e --type --exclude --exclude-dir --output --format',
    examples: { 'loc src': '', onefetch: '' },
  },
  'misspell aspell hunspell languagetool': {
    reader: 'maker',
    examples: { 'misspell docs': '' },
  },
  'addlicense license-eye licensed reuse licensee scancode': {
    operands: 'value',
    options: { makes: '--output' },
    valued: '-c -l -y -f --config --license --year',
    examples: { 'licensee detect .': '', 'reuse lint': '' },
  },
  'units ncal gdate dateadd datediff dateconv uuidgen uuid pwgen apg diceware errno ascii unicode toilet fortune boxes espeak afplay':
    {
      operands: 'value',
      examples: { uuidgen: '', 'units 1in cm': '', 'pwgen 20 1': '' },
    },
  'pv mbuffer progress': {
    operands: 'reads',
    options: { writes: '-o' },
    valued: '-s -L -N -i -m --size --rate-limit --name',
    examples: { 'pv data/a.csv': '', 'pv .env': 'read secret' },
  },
  'pee mispipe': {
    operands: 'script',
    examples: { "pee 'wc -l' 'sort'": '', "pee 'rm -rf ~/Documents'": 'delete home' },
  },
  'inotifywait inotifywatch fswatch': {
    operands: 'names',
    valued: '-e -t --format --timefmt --exclude --event --timeout -i -E',
    examples: { 'inotifywait -e modify src': '' },
  },
  m4: {
    reader: 'shape',
    examples: { 'm4 --version': '', "echo 'syscmd(rm -rf ~/Documents)' | m4": 'delete home' },
  },
  'envsubst gomplate j2 mustache jinja2 esh mo': {
    operands: 'uses',
    options: { writes: '-o --out --output' },
    valued: '-f --file -d --datasource -c --context -i --in',
    examples: { 'gomplate -f a.tmpl -o a.txt': 'write project', 'gomplate -o ~/.bashrc': 'write startup' },
  },
  // Tables and data
  'csvcut csvgrep csvlook csvsort csvjoin csvstat csvstack csvformat csvjson in2csv xsv qsv tsv-filter visidata vd datamash':
    {
      operands: 'uses',
      options: { writes: '-o --output' },
      valued: '-c -m -r -f -d -t -q -s -g --columns --match --regex --delimiter',
      examples: { 'csvcut -c 1 data/a.csv': '', 'xsv stats data/a.csv -o ~/.bashrc': 'write startup' },
    },
  csvsql: {
    operands: 'uses',
    input: 'sql',
    valued: '--db --query -i --dialect --tables',
    with: { '--overwrite': 'database drop likely' },
    examples: {
      "csvsql --query 'select 1' data/a.csv": '',
      'csvsql --db sqlite:///a.db --overwrite --insert a.csv': 'database drop',
    },
  },
  mlr: {
    reader: 'shape',
    examples: { 'mlr --icsv --ojson cat data/a.csv': '' },
  },
  'xmlstarlet xmlstar': {
    under: {
      ed: { operands: 'uses', options: {}, valued: '-d -u -v -i -s -a -n -t -r -x -m' },
      'sel el fo val c14n tr ls esc unesc pyx p2x': { operands: 'reads', valued: '-t -m -v -o -n' },
    },
    examples: { 'xmlstarlet val feed.xml': '', 'xmlstarlet c14n ~/.netrc': 'read secret' },
  },
  'xmllint xsltproc trang jing': {
    operands: 'reads',
    options: { writes: '-o --output' },
    valued: '--xpath --schema --dtdvalid --relaxng --path --stringparam --param --encode',
    examples: { 'xmllint --noout feed.xml': '', 'xmllint --output ~/.bashrc a.xml': 'write startup' },
  },
  'parquet-tools pqrs avro-tools orc-tools h5dump h5ls ncdump gdalinfo ogrinfo exiftags mediainfo ffprobe soxi mp4info pdfinfo pdffonts fc-list fc-match otfinfo':
    {
      operands: 'uses',
      valued: '-v -i -show_entries -of -select_streams --head -n --Output',
      examples: { 'ffprobe -v error a.mp4': '', 'h5dump -n a.h5': '', 'pdfinfo a.pdf': '' },
    },
  'ogr2ogr gdal_translate gdalwarp': {
    oneDash: true,
    operands: 'writes reads',
    valued: '-f -t_srs -s_srs -sql -where -of -co -nln -lco',
    examples: { 'ogr2ogr -f GeoJSON out.json in.shp': 'write project', 'ogr2ogr ~/.bashrc a.shp': 'write startup' },
  },
  'datasette sqlite-utils': {
    verbs: [
      [/^(?:drop-table|drop-view)\b/, 'database drop'],
      [/^publish\b/, 'cloud change'],
      [/^(?:delete|delete-where|truncate)\b/, 'database delete-some'],
      [/(?:)/, null],
    ],
    examples: { 'sqlite-utils tables a.db': '', 'sqlite-utils drop-table a.db users': 'database drop' },
  },
  // Documents
  'ps2pdf dvips dvipdf dvipdfmx pdfcrop ocrmypdf weasyprint pdf2svg prince': {
    operands: 'uses writes',
    valued: '-l -o -r --language --output-type -s --stylesheet',
    examples: { 'ocrmypdf a.pdf b.pdf': 'write project', 'weasyprint a.html ~/.bashrc': 'write startup' },
  },
  'pdfunite pdfjam pdfnup': {
    operands: 'uses',
    last: 'writes',
    options: { writes: '-o --outfile' },
    examples: { 'pdfunite a.pdf b.pdf c.pdf': 'write project', 'pdfunite a.pdf ~/.bashrc': 'write startup' },
  },
  'pdfseparate pdftoppm pdftocairo pdfimages pdftohtml': {
    operands: 'uses writes',
    valued: '-f -l -r -x -y -W -H -scale-to',
    oneDash: true,
    examples: { 'pdftoppm -r 100 -png a.pdf /tmp/page': 'write temp' },
  },
  'img2pdf rsvg-convert cairosvg potrace gifski svg2png tippecanoe wkhtmltoimage': {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '-w -h -f -s -t --width --height --format --fps -z -Z -l',
    examples: { 'img2pdf a.png -o a.pdf': 'write project', 'img2pdf a.png -o ~/.bashrc': 'write startup' },
  },
  'qrencode zbarimg': {
    operands: 'value',
    options: { reads: '-r --read-from', writes: '-o --output' },
    valued: '-s -l -t -m -d --size --level --type',
    examples: { 'qrencode -o a.png hi': 'write project', 'qrencode -r ~/.netrc': 'read secret' },
  },
  'mmdc plantuml': {
    operands: 'uses',
    options: { uses: '-i --input', writes: '-o --output' },
    valued: '-t -b -c -w -H --theme --configFile',
    examples: { 'mmdc -i a.mmd -o a.svg': 'write project' },
  },
  'dot neato fdp sfdp twopi circo': {
    operands: 'uses',
    options: { writes: '-o' },
    valued: '-T -K -G -N -E',
    examples: { 'dot -Tsvg a.dot -o a.svg': 'write project', 'dot -Tpng a.dot -o /etc/x': 'write system' },
  },
  d2: {
    under: { 'fmt layout themes version validate': {} },
    operands: 'uses writes',
    valued: '-l --layout -t --theme --host --port',
    examples: { 'd2 a.d2 a.svg': 'write project', 'd2 fmt a.d2': '' },
  },
  typst: {
    under: {
      'compile c watch w': { operands: 'uses writes', valued: '--root --font-path --input -f --format --pages' },
      'query fonts update init eval': {},
    },
    examples: { 'typst compile a.typ a.pdf': 'write project', 'typst fonts': '' },
  },
  quarto: {
    under: {
      'render preview check convert create list inspect install add update remove use run tools': {},
      publish: { does: 'registry publish' },
    },
    examples: { 'quarto render': '', 'quarto publish gh-pages': 'registry publish' },
  },
  mkdocs: {
    under: {
      'build serve new get-deps': { options: { makes: '-d --site-dir' } },
      'gh-deploy': { does: 'registry publish' },
    },
    examples: { 'mkdocs build': '', 'mkdocs gh-deploy --force': 'registry publish' },
  },
  'marp slidev asciidoctor-pdf doxygen antora gitbook honkit vuepress-build': {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '-I --theme -a',
    examples: { 'marp a.md -o a.pdf': 'write project', doxygen: '' },
  },
  'bibtex biber chktex lacheck texcount latexdiff detex texdoc kpsewhich tlmgr-info': {
    operands: 'uses',
    examples: { 'bibtex paper': '', 'texcount paper.tex': '' },
  },
  'soffice libreoffice lowriter localc unoconv': {
    operands: 'uses',
    options: { makes: '--outdir -o --output' },
    valued: '--convert-to --infilter -f',
    examples: {
      'soffice --headless --convert-to pdf a.docx': '',
      'soffice --convert-to pdf --outdir /etc a.docx': 'write system',
    },
  },
  'fonttools pyftsubset ttx-dump woff2_compress woff2_decompress glyphhanger fc-cache fontforge': {
    operands: 'uses',
    options: { writes: '--output-file -o' },
    valued: '--unicodes --text --flavor --layout-features',
    examples: { 'pyftsubset a.ttf --output-file=b.woff2': 'write project', 'fc-cache -f': '' },
  },
  // Pictures, sound, film
  'compare composite montage stitch animate display import-image': {
    operands: 'uses',
    last: 'writes',
    valued: '-metric -resize -geometry -tile -compose -gravity -fuzz',
    oneDash: true,
    examples: { 'compare a.png b.png diff.png': 'write project', 'montage a.png b.png ~/.bashrc': 'write startup' },
  },
  sips: {
    reader: 'in-place',
    examples: { 'sips -g pixelWidth a.png': '', 'sips -Z 100 ~/Pictures/a.jpg': 'write home' },
  },
  'yt-dlp youtube-dl gallery-dl': {
    operands: 'fetch',
    options: { writes: '-o --output', script: '--exec --exec-before-download' },
    valued: '-f -S --format --sort -a --batch-file -r --cookies --cookies-from-browser -P',
    examples: {
      'yt-dlp https://example.com/v': 'fetch',
      "yt-dlp --exec 'rm -rf ~/Documents' https://example.com/v": 'delete home',
    },
  },
  HandBrakeCLI: {
    options: { uses: '-i --input', writes: '-o --output' },
    valued: '-e -q -Z --preset --encoder --quality',
    operands: 'value',
    examples: { 'HandBrakeCLI -i a.mkv -o a.mp4': 'write project' },
  },
  'mpv vlc cvlc mplayer ffplay feh eog sxiv imv zathura evince okular mupdf': {
    operands: 'uses',
    examples: { 'feh a.png': '', 'mpv a.mp4': '' },
  },
  tesseract: {
    operands: 'uses writes value',
    valued: '-l --psm --oem -c --dpi --tessdata-dir',
    examples: { 'tesseract a.png text -l eng': 'write project', 'tesseract a.png /etc/x': 'write system' },
  },
  'screencapture scrot gnome-screenshot grim maim flameshot': {
    operands: 'writes',
    options: { writes: '-f -o -p' },
    valued: '-d -g -s -D -R -l -t',
    examples: { 'screencapture a.png': 'write project', 'scrot /tmp/a.png': 'write temp' },
  },
  'asciinema vhs termtosvg ttyrec ttyplay': {
    under: {
      rec: { operands: 'writes', options: { script: '-c --command' }, valued: '-t --title -i' },
      'play cat auth new validate themes convert': { operands: 'uses' },
      'upload publish': { operands: 'uses', does: 'registry publish' },
    },
    operands: 'uses',
    examples: {
      'asciinema play a.cast': '',
      "asciinema rec -c 'rm -rf ~/Documents' a.cast": 'delete home',
      'asciinema upload a.cast': 'registry publish',
    },
  },
  // Checks of files and of what is shipped
  'zizmor pinact ajv check-jsonschema jsonlint yajsv taplo toml-sort editorconfig-checker ec ls-lint gitlint dotenv-linter dockerfilelint dive dockle kube-score kube-linter conftest datree polaris pluto promtool-check cfn-lint cfn_nag ansible-lint ansible-inventory ansible-doc packer-fmt nomad-fmt opa regal cue jsonnet-lint':
    {
      reader: 'maker',
      examples: { 'ajv validate -s a.json -d b.json': '', 'kube-score score a.yaml': '', 'ansible-lint site.yml': '' },
    },
  'jsonnet jsonnetfmt ytt kapp-render kpt ksonnet': {
    operands: 'uses',
    options: { writes: '-o --output-file', makes: '-m --multi' },
    valued: '-J -V -A --ext-str --tla-str --ext-code -f --data-value',
    examples: { 'jsonnet a.jsonnet -o a.json': 'write project' },
  },
  'grype syft osv-scanner gitleaks trufflehog detect-secrets bearer dependency-check retire nsp clair-scanner wpscan-local tfsec-all terrascan driftctl infracost terraform-docs kics':
    {
      operands: 'uses',
      options: { writes: '--output-file --file --report-path' },
      valued: '-o -c --config --source --format -q --scan-type --baseline',
      examples: { 'grype dir:.': '', 'gitleaks detect --source .': '', 'terraform-docs markdown .': '' },
    },
  snyk: {
    under: {
      'test code iac container auth config help log4shell sbom policy': {},
      monitor: { operands: 'value' },
      ignore: {},
    },
    examples: { 'snyk test': '' },
  },
  cosign: {
    options: { uses: '--key' },
    under: {
      'verify verify-attestation verify-blob tree triangulate version login download public-key generate': {},
      'sign attest attach upload copy': { does: 'registry publish' },
      'generate-key-pair sign-blob import-key-pair': {},
      clean: { does: 'registry unpublish' },
    },
    examples: { 'cosign verify a': '', 'cosign sign example.com/a': 'registry publish' },
  },
  'swagger-cli openapi redoc-cli swagger-codegen openapi-typescript quicktype datamodel-codegen kiota orval': {
    operands: 'uses',
    options: { writes: '-o --output --outfile' },
    valued: '-t -l -r --lang --src --input -i',
    examples: { 'swagger-cli validate a.yaml': '', 'quicktype a.json -o src/a.ts': 'write project' },
  },
  // Requests and loads
  'hurl newman bruno bru tavern': {
    operands: 'uses',
    options: { writes: '-o --output', makes: '--report-html --report-junit' },
    valued: '--variable --variables-file -e --environment -g --env --env-var',
    examples: { 'hurl a.hurl': '', 'newman run a.json': '', 'hurl a.hurl -o ~/.bashrc': 'write startup' },
  },
  'grpcurl evans ghz grpc_cli': {
    operands: 'value',
    valued: '-d -H -proto -import-path -rpc-header -cert -key -cacert -n -c --call',
    oneDash: true,
    examples: { 'grpcurl -plaintext localhost:50051 list': '' },
  },
  'mosquitto_sub wscat nats-sub kcat-consume': {
    operands: 'value',
    valued: '-h -p -t -c -u -P -i',
    examples: { 'mosquitto_sub -h localhost -t a': '' },
  },
  'siege bombardier oha plow drill-bench hyperfoil tsung': {
    operands: 'value',
    valued: '-c -n -d -r -t -m -H -b -z -q',
    examples: { 'oha -n 100 http://localhost:3000': '' },
  },
  'nginx caddy traefik haproxy httpd apachectl apache2ctl lighttpd': {
    valued: '-c -p -g -f --config',
    verbs: [
      [/(?:^|\s)-[tTvV]\b|^(?:validate|adapt|fmt|version|list-modules|configtest|-t)\b/, null],
      [/^(?:trust|untrust)\b/, 'machine settings likely'],
      [/\b(?:stop|quit|graceful-stop)\b/, 'service stop likely'],
      [/(?:)/, null],
    ],
    examples: {
      'nginx -t': '',
      'caddy validate': '',
      'caddy trust': 'machine settings',
      'nginx -s stop': 'service stop',
    },
  },
  mkcert: {
    valued: '-cert-file -key-file -p12-file -csr',
    oneDash: true,
    options: { writes: '-cert-file -key-file' },
    operands: 'value',
    with: { '-install -uninstall': 'machine settings likely' },
    examples: { 'mkcert localhost': '', 'mkcert -install': 'machine settings' },
  },
  'codium code-insiders webstorm pycharm goland rubymine clion rider phpstorm fleet lapce bbedit': {
    reader: 'editor',
    examples: { 'codium .': '' },
  },
  // Looks at this machine
  'dpkg-query apt-cache lsb_release hostid xrandr xset setxkbmap pactl amixer playerctl brightnessctl zenity kdialog dialog whiptail':
    {
      operands: 'value',
      examples: { 'apt-cache policy git': '', 'lsb_release -a': '' },
    },
  'rpmbuild debuild dpkg-buildpackage fpm nfpm alien rpm2cpio': {
    operands: 'uses',
    options: { makes: '-t --target', script: '--after-install-command' },
    valued: '-s -n -v -C -p --define --after-install --before-install',
    examples: { 'rpmbuild -ba a.spec': '', 'fpm -s dir -t /etc/x .': 'write system' },
  },
  'dpkg-deb': {
    operands: 'uses edits',
    valued: '-Z -z -S --compression',
    examples: { 'dpkg-deb -I a.deb': '', 'dpkg-deb -x a.deb /': 'write system' },
  },
  perf: {
    under: {
      'report script annotate list diff top sched mem lock evlist version': {
        operands: 'uses',
        options: { writes: '-o' },
        valued: '-i -g --input',
      },
    },
    operands: 'uses',
    examples: { 'perf report -i perf.data': '', 'perf stat rm -rf ~/Documents': 'delete home' },
  },
  'ioreg vm_stat pagesize mdutil-s sysdig-list lshw inxi neofetch fastfetch screenfetch hwinfo dmidecode upower nvtop glances bmon iftop nethogs iotop atop dstat sar mpstat pidstat numastat slabtop':
    {
      operands: 'value',
      valued: '-l -q -i -p -u -n',
      examples: { 'ioreg -l': '', fastfetch: '' },
    },
  'py-spy rbspy pprof flamegraph.pl stackcollapse-perf.pl perf-map-agent speedscope 0x clinic': {
    operands: 'uses',
    options: { writes: '-o --output' },
    valued: '-p --pid -d --duration -r --rate -f --format',
    examples: { 'py-spy dump --pid 12': '', 'pprof -o ~/.bashrc cpu.prof': 'write startup' },
  },
  'tasklist systeminfo ver where.exe findstr whoami.exe hostname.exe': {
    operands: 'uses',
    examples: { 'tasklist /v': '', 'findstr /s TODO src': '' },
  },
  'kubetail logcli lnav goaccess multitail humanlog pino-pretty bunyan hl fblog angle-grinder agrind': {
    operands: 'uses',
    filters: true,
    valued: '-n -l -s --since --selector --namespace -o --output -c',
    examples: { 'kubetail api -n shop': '', 'pino-pretty': '' },
  },
  'tig lazygit gitui gitk git-cola git-gui serie': {
    operands: 'value',
    examples: { 'tig --version': '' },
  },
  'git-cliff conventional-changelog auto-changelog changelogen github_changelog_generator git-chglog': {
    operands: 'value',
    options: { writes: '-o --output --outfile' },
    valued: '-p -i -r -c --config --preset --infile --tag',
    with: { '--release --push': 'git rewrite-remote likely' },
    examples: { 'git-cliff -o CHANGELOG.md': 'write project', 'git-cliff --unreleased': '' },
  },
  'kaggle zenodo-upload': {
    verbs: [
      [/\b(?:datasets|kernels|models) (?:create|version|push|delete)\b|\bcompetitions submit\b/, 'registry publish'],
      [/(?:)/, null],
    ],
    examples: { 'kaggle datasets list': '', 'kaggle datasets create -p .': 'registry publish' },
  },
})
