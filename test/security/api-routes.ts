import { ApiClient } from '../setup/api-client.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly schema?: object;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** JSON schema of the body, where there is one. */
  readonly body?: JsonSchema;
}

export interface JsonSchema {
  readonly [keyword: string]: any;
}

/** Every operation of the OpenAPI document, with references resolved: what it does not say is not tested. */
export async function routesOf(api: ApiClient): Promise<Route[]> {
  const document = (await api.get('/openapi.json', { key: 'none' })).body;
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]) => {
        const schema = operation.requestBody?.content?.['application/json']?.schema;
        return {
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters ?? [],
          ...(schema && { body: resolve(document, schema) }),
        };
      }),
  );
}

function resolve(document: any, schema: any): any {
  if (Array.isArray(schema)) return schema.map((item) => resolve(document, item));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') {
    const target = (schema.$ref as string).slice(2).split('/');
    return resolve(
      document,
      target.reduce((at, name) => at[name], document),
    );
  }
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, resolve(document, value)]));
}

/** Fills the path's parameters by name, or by the resource that the path starts with. */
export function addressOf(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const resource = path.split('/')[2] ?? '';
    return encodeURIComponent(values[`${resource}.${name}`] ?? values[name] ?? '00000000-0000-4000-8000-000000000000');
  });
}
