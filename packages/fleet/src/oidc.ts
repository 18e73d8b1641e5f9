import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { ROLES, type Role } from './api.ts'
import { RequestError } from './request-error.ts'
import { StoreError } from './store/database.ts'
import { DEFAULT_TENANT } from './store/store.ts'

/** Issuer of people's tokens, as the owner of the server configures it. */
export interface IssuerOptions {
  /** Address of the issuer, as its tokens have it in `iss`. */
  readonly issuer: string
  /** Audience that tokens for this server have in `aud`. */
  readonly audience: string
  /** Claim with roles: its name, or names with dots between them. */
  readonly claim: string
}

/** A person's role in a tenant. */
export interface Grant {
  readonly tenant: string
  readonly role: Role
}

/** A person whom an issuer vouches for. */
export interface TokenHolder {
  readonly grants: readonly Grant[]
  readonly expiresAt: number
}

/** Reads a token. Rejects with a RequestError for one that does not count, or whose issuer does not answer. */
export type ReadToken = (token: string) => Promise<TokenHolder>

type Jose = typeof import('jose')

/** Signatures by a private key alone: never "none", never a secret that two share. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const CLOCK_TOLERANCE_SECONDS = 60
const REQUEST_TIMEOUT_MS = 10_000
/** Time for which what the issuer says about itself is believed. */
const DISCOVERY_MS = 3_600_000
const GRANT = /^hookline:(?:([a-z0-9][a-z0-9-]{0,62}):)?([a-z]+)$/

/** Makes the reader of an issuer's tokens. The issuer is asked when the first one comes. Throws a StoreError that says what is missing. */
export async function makeTokenReader({ issuer, audience, claim }: IssuerOptions): Promise<ReadToken> {
  const fault = findAddressFault(issuer)
  if (fault !== null) throw new StoreError(`the issuer ${fault}`)
  const jose = await import('jose').catch(() => {
    throw new StoreError('tokens of an issuer need the package jose beside this one: npm install jose')
  })
  let known: { readonly keys: JWTVerifyGetKey; readonly until: number } | null = null
  const findKeys = async (): Promise<JWTVerifyGetKey> => {
    if (known !== null && known.until > Date.now()) return known.keys
    const address = await discoverKeys(issuer)
    const keys = jose.createRemoteJWKSet(address, { timeoutDuration: REQUEST_TIMEOUT_MS })
    known = { keys, until: Date.now() + DISCOVERY_MS }
    return keys
  }
  return async (token) => {
    const keys = await findKeys()
    const { payload } = await jose
      .jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_TOLERANCE_SECONDS },
        requiredClaims: ['exp', 'sub'],
      })
      .catch((error: unknown) => {
        throw refuseToken(error, { jose, issuer, audience })
      })
    const grants = readGrants(payload, claim)
    if (grants.length === 0)
      throw new RequestError(403, `the token has no role: its claim "${claim}" needs a value such as hookline:viewer`)
    return { grants, expiresAt: Math.floor((payload.exp ?? 0) * 1000) }
  }
}

/** Reason why an issuer cannot be asked at an address: an answer that others can change would let anyone in. */
function findAddressFault(address: unknown): string | null {
  if (typeof address !== 'string' || !URL.canParse(address)) return `${JSON.stringify(address)} is not an address`
  const { protocol, hostname } = new URL(address)
  const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return null
  return `${address} is not https; plain http is for this machine alone`
}

/** Asks an issuer where its keys are. */
async function discoverKeys(issuer: string): Promise<URL> {
  const document = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null) // told below
  const { issuer: named, jwks_uri: keys } = (document ?? {}) as Readonly<Record<string, unknown>> // checked below
  if (document === null || typeof document !== 'object')
    throw new RequestError(503, 'the issuer of tokens does not answer: try again later', { 'retry-after': '5' })
  if (named !== issuer) throw new RequestError(503, `the issuer calls itself ${String(named)}, not ${issuer}`)
  const fault = findAddressFault(keys)
  if (fault !== null) throw new RequestError(503, `the issuer's address of keys ${fault}`)
  return new URL(String(keys))
}

function refuseToken(
  error: unknown,
  { jose: { errors }, issuer, audience }: Pick<IssuerOptions, 'issuer' | 'audience'> & { readonly jose: Jose },
): RequestError {
  const refuse = (because: string): RequestError => new RequestError(401, because, { 'www-authenticate': 'Bearer' })
  if (error instanceof errors.JWTExpired) return refuse('the token has expired: sign in again')
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return refuse(`the token is for another audience than ${audience}`)
    if (error.claim === 'iss') return refuse(`the token is of another issuer than ${issuer}`)
    if (error.claim === 'nbf') return refuse('the token is not valid yet')
    return refuse(`the token's claim "${error.claim}" is missing or not valid`)
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refuse('the token is not signed, or in a way that is not accepted: RS, PS, ES and EdDSA are')
  if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JWKSNoMatchingKey)
    return refuse('the token is not signed with a key of the issuer')
  if (
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JOSENotSupported
  )
    return refuse('it is not a token of an issuer')
  return new RequestError(503, 'the keys of the issuer cannot be read: try again later', { 'retry-after': '5' })
}

/** Roles that a token grants: `hookline:ROLE` in the tenant of everyone, `hookline:TENANT:ROLE` in another one. Other values are of other programs. */
function readGrants(payload: JWTPayload, claim: string): Grant[] {
  const value = payload[claim] ?? claim.split('.').reduce<unknown>(readPart, payload)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one) => {
    const [, tenant = DEFAULT_TENANT, word] = (typeof one === 'string' ? GRANT.exec(one) : null) ?? []
    const role = ROLES.find((known) => known === word)
    return role === undefined ? [] : [{ tenant, role }]
  })
}

function readPart(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Readonly<Record<string, unknown>>)[name] // an object that has it
}
