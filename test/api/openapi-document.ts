import { z } from 'zod';

export interface ApiDocument {
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, ApiResponseObject>;
  };
  readonly tags: { readonly name: string; readonly description: string }[];
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags: string[];
  readonly security: object[];
  readonly responses: Record<string, ApiResponseObject & { $ref?: string }>;
  readonly requestBody?: { content: Record<string, { schema: object }> };
}

interface ApiResponseObject {
  readonly description: string;
  readonly content?: Record<string, { schema: object; examples?: Record<string, unknown> }>;
}

/** Checks answers against the document: the route is known, the status is documented, the body fits its schema. */
export class Contract {
  readonly met = new Set<string>();

  constructor(private readonly document: ApiDocument) {}

  check(method: string, path: string, status: number, contentType: string, body: unknown): void {
    const { name, operation } = this.operationOf(method, path);
    const documented = operation.responses[String(status)];
    if (!documented) throw new Error(`${name} answered ${status}, which is not documented`);
    this.met.add(name);
    if (status === 204) return;
    const response = documented.$ref
      ? this.document.components.responses[documented.$ref.split('/').at(-1) ?? '']
      : documented;
    const type = contentType.split(';')[0] ?? '';
    const media = response?.content?.[type];
    if (!media)
      throw new Error(
        `${name} answered ${status} as ${type}, documented: ${Object.keys(response?.content ?? {}).join()}`,
      );
    if (!type.includes('json')) return;
    const result = this.parserOf(media.schema).safeParse(body);
    if (!result.success)
      throw new Error(`${name} ${status}: ${z.prettifyError(result.error)}\n${JSON.stringify(body)}`);
    if (type.includes('problem'))
      this.checkProblem(`${name} ${status}`, body as Record<string, unknown>, media.examples);
  }

  /** The code is one of those that are documented here, and each of its members is described. */
  private checkProblem(name: string, problem: Record<string, unknown>, examples: object = {}): void {
    const code = String(problem['code']);
    if (!(code in examples)) throw new Error(`${name} ${code} is not documented`);
    const described = Object.keys(this.problemOf(code).properties);
    const unknown = Object.keys(problem).filter((member) => !described.includes(member));
    if (unknown.length > 0) throw new Error(`${name} ${code} has members that are not described: ${unknown.join()}`);
  }

  problemOf(code: string): { properties: Record<string, object> } {
    const schemas = Object.values(this.document.components.schemas) as { properties?: Record<string, any> }[];
    const isFor = ({ properties }: (typeof schemas)[number]) => properties?.['code']?.const === code;
    return schemas.find(isFor) as { properties: Record<string, object> };
  }

  private operationOf(method: string, path: string): { name: string; operation: ApiOperation } {
    const segments = (path.split('?')[0] ?? '').split('/');
    const matches = Object.entries(this.document.paths)
      .filter(([template, item]) => fits(template.split('/'), segments) && method.toLowerCase() in item)
      .sort(([a], [b]) => a.split('{').length - b.split('{').length);
    const [match] = matches;
    if (!match) throw new Error(`${method} ${path} is not documented`);
    const [template, item] = match;
    return { name: `${method.toUpperCase()} ${template}`, operation: item[method.toLowerCase()]! };
  }

  private parserOf(schema: object): z.ZodType {
    const $defs = this.document.components.schemas;
    const text = JSON.stringify({ ...schema, $defs }).replaceAll('#/components/schemas/', '#/$defs/');
    return z.fromJSONSchema(JSON.parse(text));
  }
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length && template.every((part, at) => part.startsWith('{') || part === segments[at])
  );
}
