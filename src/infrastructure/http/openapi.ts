import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** Served as /openapi.json and, for people, as /docs. */
export function describeApi(app: INestApplication): OpenAPIObject {
  const document = new DocumentBuilder()
    .setTitle('checkout-saga')
    .setDescription('A checkout that never oversells, never charges twice and never forgets an order.')
    .setVersion('1.0.0')
    .setOpenAPIVersion('3.1.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, 'customer')
    .addSecurityRequirements('apiKey')
    .build();
  return SwaggerModule.createDocument(app, document);
}

export function serveApiDescription(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app), {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
  });
}
