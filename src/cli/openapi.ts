import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { writeFileSync } from 'node:fs';
import { AppModule } from '../app.module.js';
import { loadConfig } from '../platform/config/app-config.js';
import { describeApi } from '../platform/http/openapi/document.js';

/**
 * Writes the API description to a file. Nest's preview mode knows the routes without starting or connecting anything.
 */
async function main(file: string): Promise<void> {
  const config = loadConfig({ NODE_ENV: 'test' });
  const app = await NestFactory.create(AppModule.register(config, 'postgres://unused'), new FastifyAdapter(), {
    logger: ['error'],
    preview: true,
    abortOnError: false,
  });
  writeFileSync(file, `${JSON.stringify(describeApi(app), undefined, 2)}\n`);
}

await main(process.argv[2] ?? 'openapi.json');
