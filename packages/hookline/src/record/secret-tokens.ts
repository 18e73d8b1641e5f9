/**
 * Beginnings of tokens, by who gives them out, as their documentation says. Every repetition has a limit or eats what it
 * passes: a text of any length is read in a time that grows with its length.
 */
type Tokens = Readonly<Record<string, string>>

/** Tokens that begin where neither a letter, a digit nor `_` stands before them. */
const TOKENS: Tokens = {
  'Stripe and Svix (webhooks)': 'whsec_[\\w+/=-]{16,}',
  GitHub: '(?:gh[opsur]|github_pat)_\\w{16,}',
  AWS: '(?:AKIA|ASIA|AGPA|AROA|AIDA|ABIA|ACCA)[0-9A-Z]{12,}|ABSK[A-Za-z0-9+/]{40,}={0,2}',
  DigitalOcean: 'do[opr]_v1_\\w{24,}',
  'npm, Hugging Face': '(?:npm|hf|api_org)_\\w{24,}',
  Shopify: 'shp(?:at|ca|pa|ss)_\\w{24,}',
  Linear: 'lin_(?:api|oauth)_\\w{24,}',
  RubyGems: 'rubygems_[0-9a-f]{32,}',
  'Docker Hub': 'dckr_(?:pat|oat)_[\\w-]{16,}',
  'HashiCorp Vault': 'hv[sbr]\\.[\\w-]{16,}|[sbr]\\.(?=[A-Za-z]{0,23}\\d)[A-Za-z0-9]{24}(?![\\w.(])',
  'HashiCorp Terraform': '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{32,}',
  Supabase: '(?:sbp|sb_secret)_\\w{16,}',
  Databricks: 'dapi[0-9a-f]{16,}(?:-\\d)?',
  Notion: 'secret_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{24,}',
  Doppler: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{16,}',
  Sentry: 'sntry[sua]_[\\w+/=.-]{24,}',
  Twilio: '(?:SK|AC)[0-9a-f]{32}(?!\\w)',
  Telegram: '\\d{8,10}:AA[\\w-]{32,}',
  Atlassian: 'AT(?:ATT|CTT|BB)[\\w=-]{16,}',
  Grafana: 'gl(?:sa|c)_[\\w+/=]{24,}',
  'New Relic': 'NR(?:AK|JS|II|RA)-[\\w-]{16,}',
  Dynatrace: 'dt0[a-z]\\d{2}\\.[A-Z0-9]{16,}\\.[A-Z0-9]{32,}',
  PlanetScale: 'pscale_(?:tkn|pw|oauth)_[\\w.-]{16,}',
  Pulumi: 'pul-[0-9a-f]{32,}',
  'Fly.io': 'fo1_[\\w-]{32,}|fm[12][ar]?_[\\w+/=,-]{32,}',
  'Figma, Airtable': 'figd_[\\w-]{24,}|pat[A-Za-z0-9]{14}\\.[0-9a-f]{32,}',
  'xAI, Groq, Perplexity, Replicate, Tavily, Firecrawl': '(?:xai-|gsk_|pplx-|r8_|tvly-|fc-)[A-Za-z0-9]{20,}',
  'Square, PayPal, Facebook':
    'sq0[a-z]{3}-[\\w-]{20,}|EAA[A-Za-z0-9_-]{56,}|access_token\\$(?:production|sandbox)\\$[\\w$]{16,}',
  'Alibaba, Tencent': 'LTAI[A-Za-z0-9]{12,}|AKID[A-Za-z0-9]{24,}',
  '1Password': 'ops_eyJ[\\w+/=-]{32,}|A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}',
  'Netlify, Render, Contentful': '(?:nfp_|rnd_|CFPAT-)[\\w-]{20,}',
}

/** Tokens with dashes in them, which begin where no dash stands before them either. */
const DASHED: Tokens = {
  'a JSON web token': 'eyJ[\\w-]{5,}\\.[\\w-]{5,}(?:\\.[\\w-]*)?',
  'OpenAI, Anthropic, Stripe, OpenRouter, Clerk': '(?:sk|pk|rk)[-_](?=[\\w-]{0,64}\\d)[\\w-]{16,}',
  GitLab: 'gl(?:pat|dt|rt|rtr|ptt|cbt|ft|imt|agent|oas|soat|ffct)-[\\w.-]{16,}',
  Slack: '(?:xox[a-z]|xoxe\\.xox[bp]|xapp)-[\\w-]{10,}|https://hooks\\.slack\\.com/[\\w/-]{16,}',
  Google: 'AIza[\\w-]{30,}|ya29\\.[\\w-]{16,}|GOCSPX-[\\w-]{16,}|1//0[\\w-]{24,}',
  'Azure (secrets of applications)': '[\\w.~-]{3}\\dQ~[\\w.~-]{31,34}(?![\\w.~-])',
  'Heroku, Postman': '(?:HRKU|PMAK)-[\\w-]{24,}',
  PyPI: 'pypi-[\\w-]{24,}',
  SendGrid: 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'Mailgun, Mailchimp': '(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us\\d{1,2})(?!\\w)',
  Discord: '[MNO][\\w-]{23,27}\\.[\\w-]{6,7}\\.[\\w-]{27,}',
  age: 'AGE-SECRET-KEY-1[\\w-]{16,}',
}

/** Secrets that are known by what stands around them. */
const FRAMED: Tokens = {
  'Discord (webhooks)': '(?<=discord(?:app)?\\.com/api/(?:v\\d{1,2}/)?webhooks/)\\d{6,24}/[\\w-]{8,}',
  'Microsoft Teams (webhooks)': '(?<=webhook\\.office\\.com/)[\\w@/-]{32,}',
  'keys in PEM and its relatives':
    '-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}[\\s\\S]*?(?:-{4,5} ?END [A-Za-z0-9 ]{0,60} ?-{4,5}|$)',
  PuTTY: '(?<=Private-Lines: \\d{1,4}\\r?\\n)(?:[\\w+/=]{1,128}(?:\\r?\\n|$)){1,512}',
}

const joinAlternatives = (tokens: Tokens): string => `(?:${Object.values(tokens).join('|')})`

/** Matches every secret that is known by how it looks. */
export const SECRET_TOKEN = new RegExp(
  `(?<!\\w)(?:${joinAlternatives(TOKENS)}|(?<!-)${joinAlternatives(DASHED)})|${joinAlternatives(FRAMED)}`,
  'g',
)
