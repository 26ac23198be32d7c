import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { finishDocument } from './finish-document.js';
import { GUIDE, TAGS } from './guide.js';
import { convertSchema } from './schema-converter.js';

/** Served as /openapi.json and, for people, as /docs; `npm run openapi` writes the same to a file. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('checkout-saga')
    .setDescription(GUIDE)
    .setVersion('1.0.0')
    .setOpenAPIVersion('3.1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This instance')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
        description: 'Scope `storefront`: quote, reserve, check out, and read what the caller can prove to be theirs.',
      },
      'storefrontKey',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
        description: 'Scope `admin`: everything a storefront key may, the catalogue, refunds and the operator’s calls.',
      },
      'adminKey',
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'X-Access-Token',
        description:
          'The `accessToken` of an order or a reservation, beside the storefront key. Opens that one resource.',
      },
      'accessToken',
    )
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The customer’s own token, beside the storefront key. Its `sub` is the customer’s id.',
      },
      'customer',
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { standardSchemaConverter: convertSchema });
  return finishDocument(document);
}

interface UiRequest {
  readonly headers: Record<string, string>;
}

/**
 * Runs in the browser. Without it every try would send the example's key and get the answer of the first one replayed.
 */
function freshKey(request: UiRequest): UiRequest {
  const name = 'Idempotency-Key';
  if (request.headers[name] === '3f1c2a4e-8d55-4b0e-9a52-6f0c2f7f1b11') {
    request.headers[name] = `docs-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
  }
  return request;
}

export function serveApiDescription(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'checkout-saga API',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: {
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      filter: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      requestInterceptor: freshKey,
    },
  });
}
