import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Access, TakesBearerKey } from '../http/auth/caller.js';
import { Metrics } from './metrics.js';

@ApiTags('operations')
@Access('admin')
@TakesBearerKey()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Metrics of this instance, and of the database that all instances share',
    description:
      'The admin key may also come as `Authorization: Bearer`, which is how Prometheus sends a key from a file.',
  })
  @ApiOkResponse({
    description: 'The Prometheus text format',
    content: { 'text/plain': { schema: { type: 'string' }, example: 'checkouts_total{outcome="confirmed"} 42' } },
  })
  scrape(): Promise<string> {
    return this.metrics.render();
  }
}

/** Used instead if METRICS_PUBLIC is set: the scraper needs no key, and the network must keep others away. */
@Access('open')
@Controller('metrics')
export class OpenMetricsController extends MetricsController {}
