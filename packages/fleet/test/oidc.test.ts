import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '../src/keys.ts'
import { makeTokenReader } from '../src/oidc.ts'
import { type RunningServer, startServer } from '../src/server.ts'
import { type FleetStore, openStore } from '../src/store/store.ts'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

const AUDIENCE = 'fleet'
const adminKey = makeKey()
let folder: string
let store: FleetStore
let server: RunningServer
let issuer: Server
let url: string
let keys: Keys
let others: Keys
/** Answers of the issuer, by path. */
const answers = new Map<string, object>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline oidc-'))
  store = await openStore(folder)
  for (const name of ['default', 'shop', 'docs']) await store.addTenant(name)
  issuer = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}` // it listens on a port
  keys = await generateKeyPair('RS256', { extractable: true })
  others = await generateKeyPair('RS256', { extractable: true })
  answers.set('/.well-known/openid-configuration', { issuer: url, jwks_uri: `${url}/keys` })
  answers.set('/keys', { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] })
  const readToken = await makeTokenReader({ issuer: url, audience: AUDIENCE, claim: 'realm.roles' })
  const options = { store, host: '127.0.0.1', port: 0, adminKey, readToken, maxBatchesPerMinute: 600, note: () => {} }
  server = await startServer(options)
})

afterAll(async () => {
  await server.stop()
  issuer.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

interface Claims {
  readonly roles?: unknown
  readonly audience?: string
  readonly issuer?: string
  readonly ends?: string | number
  readonly begins?: string
  readonly sub?: string | null
}

const HEADER = { alg: 'RS256', kid: 'one' }

function makeClaims({ roles = ['hookline:viewer'], sub = 'someone', ...more }: Claims, header = HEADER): SignJWT {
  const token = new SignJWT({ realm: { roles } })
    .setProtectedHeader(header)
    .setIssuer(more.issuer ?? url)
    .setAudience(more.audience ?? AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(more.ends ?? '5m')
    .setNotBefore(more.begins ?? '-1m')
  return sub === null ? token : token.setSubject(sub)
}

const signToken = (claims: Claims = {}, signer: Keys = keys): Promise<string> =>
  makeClaims(claims).sign(signer.privateKey)

async function ask(path: string, token: string, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(path, server.url), { ...init, headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, text: await response.text() }
}

/** Asks as a browser does: `fetch` has headers of its own in the place of these. */
async function browse(path: string, dest: string, { cookie = '', body }: { cookie?: string; body?: string }) {
  const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': dest, 'sec-fetch-mode': 'navigate', cookie }
  const asking = request(new URL(path, server.url), { method: body === undefined ? 'GET' : 'POST', headers })
  asking.end(body)
  const [response]: [IncomingMessage] = (await once(asking, 'response')) as [IncomingMessage] // of its event
  const text = (await response.toArray()).join('')
  return { status: response.statusCode, text, cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

describe('a token of the issuer', () => {
  it('lets its person ask, with the roles of its claim and no others', async () => {
    const statuses = async (roles: unknown) => {
      const token = await signToken({ roles })
      const paths = ['v1/machines', 'v1/machines?tenant=shop', 'v1/keys', 'v1/tenants']
      return Promise.all(paths.map(async (path) => (await ask(path, token)).status))
    }
    expect(await statuses('hookline:viewer')).toEqual([200, 403, 403, 403])
    expect(await statuses(['hookline:viewer', 'hookline:admin'])).toEqual([200, 403, 200, 403])
    expect(await statuses(['hookline:shop:admin'])).toEqual([200, 200, 200, 403])
    expect(await statuses(['hookline:shop:viewer', 'hookline:docs:admin'])).toEqual([403, 200, 403, 403])
    expect(await statuses(['hookline:viewer', 'hookline:shop:admin'])).toEqual([200, 200, 403, 403])
    expect(await statuses(['hookline:nowhere:admin'])).toEqual([404, 403, 404, 404])
  })

  it.each([
    ['no role', { roles: undefined }, 'has no role: its claim \\"realm.roles\\" needs'],
    ['roles of other programs', { roles: ['admin', 'viewer', 'hookline:emperor', 7, null] }, 'has no role'],
  ])('with %s is refused', async (_, claims, words) => {
    const token = await makeClaims({ ...claims, roles: claims.roles ?? [] }).sign(keys.privateKey)
    expect(await ask('v1/machines', token)).toEqual({ status: 403, text: expect.stringContaining(words) })
  })

  it.each<[string, () => Promise<string> | string, string]>([
    ['of another audience', () => signToken({ audience: 'another' }), 'another audience than fleet'],
    ['of another issuer', () => signToken({ issuer: 'https://elsewhere.example' }), 'another issuer than http'],
    ['that has expired', () => signToken({ ends: '-5m' }), 'has expired: sign in again'],
    ['that is not valid yet', () => signToken({ begins: '5m' }), 'not valid yet'],
    ['without a subject', () => signToken({ sub: null }), '\\"sub\\" is missing'],
    ['signed with another key', () => signToken({}, others), 'not signed with a key of the issuer'],
    [
      'that names a key the issuer does not have',
      () => makeClaims({}, { ...HEADER, kid: 'two' }).sign(others.privateKey),
      'not signed with a key of the issuer',
    ],
    [
      'that is not signed',
      () =>
        new UnsecuredJWT({ realm: { roles: 'hookline:admin' } })
          .setIssuer(url)
          .setAudience(AUDIENCE)
          .setSubject('x')
          .setExpirationTime('5m')
          .encode(),
      'not signed, or in a way',
    ],
    [
      'signed with the public key as a secret',
      async () => {
        const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey))
        return makeClaims({}, { ...HEADER, alg: 'HS256' }).sign(secret)
      },
      'not signed, or in a way',
    ],
    ['that was changed', async () => (await signToken()).replace(/\.[^.]+\./, '.eyJzdWIiOiJ4In0.'), 'not signed with'],
    ['that is none', () => 'a.b.c', 'it is not a token'],
    ['of dots', () => '..', 'it is not a token'],
  ])('%s is refused with a sentence', async (_, makeToken, words) => {
    const answer = await ask('v1/machines', await makeToken())
    expect(answer).toEqual({ status: 401, text: expect.stringContaining(words) })
    expect((await ask('v1/machines', await signToken())).status).toBe(200)
  })

  it('opens no way for machines, and keys go on working', async () => {
    const token = await signToken({ roles: ['hookline:admin'] })
    expect((await ask('v1/status?epoch=x', token)).status).toBe(401)
    expect((await ask('v1/machines', adminKey)).status).toBe(200)
    expect((await ask('v1/machines', 'nothing')).status).toBe(401)
  })

  it('lets a browser in until it ends', async () => {
    const signIn = (token: string) =>
      browse('page/open', 'document', { body: new URLSearchParams({ key: token, tenant: 'shop' }).toString() })
    const askState = (cookie: string) => browse('page/api/state', 'empty', { cookie })
    const roles = ['hookline:shop:viewer']
    const cookieOf = async (token: string) => (await signIn(token)).cookie
    const state = await askState(await cookieOf(await signToken({ roles })))
    expect([state.status, state.text]).toEqual([200, expect.stringContaining('fleet of shop')])
    const ending = Math.floor(Date.now() / 1000) - 30 // within the tolerance of clocks, and over
    expect((await askState(await cookieOf(await signToken({ roles, ends: ending })))).status).toBe(401)
    expect((await signIn(await signToken({ roles: ['hookline:docs:viewer'] }))).status).toBe(403)
  })
})

describe('an issuer', () => {
  it.each([
    ['http://issuer.example', 'is not https'],
    ['nonsense', 'is not an address'],
  ])('at %s is refused', async (address, words) => {
    await expect(makeTokenReader({ issuer: address, audience: 'a', claim: 'c' })).rejects.toThrow(words)
  })

  it.each([
    ['that does not answer', '/none', undefined, 'does not answer'],
    ['with another name', '/renamed', { issuer: 'https://elsewhere.example' }, 'calls itself https://elsewhere'],
    ['whose keys come in the clear', '/clear', { jwks_uri: 'http://keys.example/' }, 'is not https'],
    ['whose keys are none', '/keyless', {}, 'cannot be read'],
  ])('%s lets nobody in, and is asked again', async (_, path, more, words) => {
    const own = `${url}${path}`
    if (more !== undefined)
      answers.set(`${path}/.well-known/openid-configuration`, { issuer: own, jwks_uri: `${url}/no-keys`, ...more })
    const read = await makeTokenReader({ issuer: own, audience: AUDIENCE, claim: 'realm.roles' })
    const token = await signToken({ issuer: own })
    await expect(read(token)).rejects.toMatchObject({ status: 503, message: expect.stringContaining(words) })
    answers.set(`${path}/.well-known/openid-configuration`, { issuer: own, jwks_uri: `${url}/keys` })
    answers.set('/no-keys', answers.get('/keys') ?? {})
    await expect(read(token)).resolves.toMatchObject({ grants: [{ tenant: 'default', role: 'viewer' }] })
    answers.delete('/no-keys')
  })

  it('may change its keys', async () => {
    const own = `${url}/rotating`
    answers.set('/rotating/.well-known/openid-configuration', { issuer: own, jwks_uri: `${own}/keys` })
    answers.set('/rotating/keys', { keys: [{ ...(await exportJWK(others.publicKey)), kid: 'one', alg: 'RS256' }] })
    const read = await makeTokenReader({ issuer: own, audience: AUDIENCE, claim: 'realm.roles' })
    await expect(read(await signToken({ issuer: own }, others))).resolves.toBeDefined()
    await expect(read(await signToken({ issuer: own }, keys))).rejects.toMatchObject({ status: 401 })
  })
})
