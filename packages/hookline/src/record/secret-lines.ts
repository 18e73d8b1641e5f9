import { REDACTED } from './secret-flags.ts'

/** A line of settings whose words before the secret say what it is: of daemons, routers and installers. */
const DIRECTIVE =
  /((?<=^|\n|["'])[ \t]{0,16}(?:rootpw(?:[ \t]{1,4}--(?:plaintext|iscrypted|allow-ssh)){0,3}|(?:root)?bindpw|(?:ro|rw)community6?|snmp-server[ \t]{1,4}community|enable[ \t]{1,4}(?:secret|password)(?:[ \t]{1,4}\d)?|username[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}(?:privilege[ \t]{1,4}\d{1,2}[ \t]{1,4})?(?:secret|password)(?:[ \t]{1,4}\d)?|set[ \t][^\r\n]{1,256}?(?:plain-text-password|encrypted-password|pre-shared-key)(?:-value)?|user[ \t]{1,4}[^\s]{1,64}[ \t]{1,4}on[ \t]{1,4}>|[^\s]{1,64}[ \t]{1,4}[^\s]{0,64}password[^\s]{0,16}[ \t]{1,4}password)(?:[ \t]{1,4}|(?<=>)))(?!\[redacted\])[^\s"']{1,512}(?=[ \t]{0,16}(?:\r?\n|$|["'])|[ \t]{1,4}(?:R[OW](?!\w)|[~+@&%]|default|\d))/gi

/** A name and a value in a table for people, as `vault` prints it: a value that words have no digits in. */
const COLUMNS =
  /((?<=^|\n)(?:[\w-]{0,32}(?:token|secret|password|secret_id|private_key))[ \t]{2,64})(?=[^\s\d]{0,128}\d)[^\s]{8,512}(?=[ \t]{0,16}(?:\r?\n|$))/gi

/** A setting alone in its line, a name and a value that words have no digits in: `smtp_password …`. */
const LINE_SETTING =
  /((?<=^|\n)[ \t]{0,16}(?:[\w.-]{0,64}[_.-])?(?:passw(?:or)?d|passphrase|secret|token|api_?key)[ \t]{1,8})(?!\[redacted\])(?=[^\s\d]{0,128}\d)[^\s"'()]{6,512}(?=[ \t]{0,16}(?:\r?\n|$))/gi

/** A sentence that tells somebody a secret: `Your temporary password is: …`, `password for user root: …`, `API key: …`. */
const SENTENCE =
  /((?<!\w)(?:passw(?:or)?d|passphrase|passcode|(?:api|access|secret|recovery|licen[cs]e|encryption|private|unseal|root|auth) (?:key|token))(?: (?:for|of|is generated for) [^\s:]{1,64}(?: [^\s:]{1,64})?)?(?: is| was set to| has been set to)?\s{0,2}(?::|=|(?<=is|to))\s{1,4}["'`]?)(?=[^\s\d]{0,128}\d)[^\s"'`,;<>[\]]{6,512}/gi

/** A hash of a password as `crypt` writes it: it can be tried against words. */
const HASH = /\$(?:[156y]|apr1|2[abxy]|argon2(?:id?|d))\$[\w$=,./+]{16,256}/g

/** Key that code signs with: `createHmac("sha256", "…")`, `jwt.sign(claims, "…")`. */
const SIGNED =
  /((?<!\w)(?:createHmac\s{0,4}\(\s{0,4}["'][\w-]{1,32}["']\s{0,4},|hmac\.new\s{0,4}\(|jwt\.(?:sign|verify|encode|decode)\s{0,4}\([^"'()\n]{1,256},)\s{0,4}b?["'])(?!\[redacted\])[^"'\n]{4,512}(?=["'])/gi
const SIGNED_OBJECT =
  /((?<!\w)jwt\.(?:sign|encode)\s{0,4}\(\s{0,4}\{[^{}\n]{0,512}\}\s{0,4},\s{0,4}["'])(?!\[redacted\])[^"'\n]{4,512}(?=["'])/gi

/** A variable of Terraform whose default is the secret. */
const DEFAULT =
  /((?<!\w)variable\s{1,4}"[\w-]{0,64}(?:passw(?:or)?d|secret|token|api_?key)[\w-]{0,64}"\s{0,4}\{[^{}]{0,512}?(?<!\w)default\s{0,16}=\s{0,4}")[^"\n]{1,512}/gi

/** An element of XML that has its name in an attribute: `<entry key="password">…</entry>`. */
const NAMED_ELEMENT =
  /(<[\w:.-]{1,32}\s{1,4}(?:name|key|id)\s{0,4}=\s{0,4}["'][\w.:-]{0,64}(?:passw(?:or)?d|secret|token|api[-_.]?key|private[-_.]?key)[\w.:-]{0,32}["'][^<>]{0,128}>)[^<]{1,4096}(?=<\/)/gi

/** Two words of a Dockerfile: `ENV API_KEY …`. */
const ENV_LINE =
  /((?<=^|\n)[ \t]{0,16}ENV[ \t]{1,4}\w{0,64}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY)\w{0,32}[ \t]{1,4})[^\s=$][^\r\n]{0,512}/g

/** A text without secrets that a line, a sentence or a call tells, and no assignment. */
export function redactLines(text: string): string {
  let left = text
  if (/pass|pw|key|token|secret|community|\son\s/i.test(left))
    left = left
      .replace(DIRECTIVE, `$1${REDACTED}`)
      .replace(COLUMNS, `$1${REDACTED}`)
      .replace(LINE_SETTING, `$1${REDACTED}`)
      .replace(SENTENCE, `$1${REDACTED}`)
      .replace(NAMED_ELEMENT, `$1${REDACTED}`)
      .replace(DEFAULT, `$1${REDACTED}`)
      .replace(ENV_LINE, `$1${REDACTED}`)
  if (/hmac|jwt\./i.test(left)) left = left.replace(SIGNED, `$1${REDACTED}`).replace(SIGNED_OBJECT, `$1${REDACTED}`)
  return left.includes('$') ? left.replace(HASH, REDACTED) : left
}
