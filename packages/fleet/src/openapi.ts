import { z } from 'zod'
import { ANSWERS } from './api.ts'
import type { Route } from './routes.ts'

const DEFAULT_STATUS = 200

/** Describes the interface as a document of OpenAPI 3.1, by the schemas that requests are checked with. */
export function describeApi(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const [method = '', path = ''] = route.path.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hookline fleet', version: '1', description: 'Records of hooks, from machines and about them.' },
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  }
}

function describeRoute({ about, audience, query, body, answers, status = DEFAULT_STATUS }: Route): object {
  const content =
    typeof answers === 'string'
      ? { [answers.split(';')[0] ?? answers]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: toSchema(answers, 'output') } }
  return {
    summary: about,
    'x-audience': audience,
    ...(audience === 'anyone' ? {} : { security: [{ key: [] }] }),
    parameters: describeParameters(query, audience),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: toSchema(body, 'input') } } } }),
    responses: {
      [status]: { description: about, content },
      default: {
        description: 'A sentence that says why not.',
        content: { 'application/json': { schema: toSchema(ANSWERS.error, 'output') } },
      },
    },
  }
}

function describeParameters(query: z.ZodObject, audience: Route['audience']): object[] {
  const { properties = {}, required = [] } = toSchema(query, 'input')
  const own = Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema }
  })
  if (audience === 'anyone' || audience === 'machine' || audience === 'owner') return own
  return [...own, { name: 'tenant', in: 'query', required: false, schema: { type: 'string' } }]
}

function toSchema(type: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' })
  return schema
}
