/** Commands that show whether anything stands between them and the program that starts them. */
export const REVEALING_COMMANDS = [
  'cat',
  'cat; printf "\\377\\000\\001" ; exit 2',
  'echo out; echo err >&2; exit 7',
  'kill -9 $$',
  'kill -TERM $$',
  'exit 0',
  'head -c 3',
  'env | grep -E "^(CLAUDE|PATH|HOME)" | sort; pwd',
  'printf %s "$0 $# $*"',
  "cat <<'EOF'\n$HOME `id` \"'\nEOF\nexit 3",
  'no-such-program-here',
  'if true; then echo "a  b"; fi # and a comment',
  'exec 1>&2; echo moved',
  'head -c 3000000 /dev/zero; echo end >&2',
  'exec >&-; exec 2>&-; exit 4',
]
