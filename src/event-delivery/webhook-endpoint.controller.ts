import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { operatorOf, type VerbBody, verbSchema } from '../platform/audit-trail/operator.js';
import { Access, type Caller, CurrentCaller } from '../platform/http/auth/caller.js';
import { ApiAnswer, ApiProblems } from '../platform/http/openapi/decorators.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import {
  type DeliveryListQuery,
  deliveryListSchema,
  deliveryPageSchema,
  type DeliveryView,
  deliveryViewSchema,
  type EndpointBody,
  type EndpointListQuery,
  endpointListSchema,
  endpointPageSchema,
  endpointSchema,
  type EndpointView,
  endpointViewSchema,
  type EndpointWithSecret,
  endpointWithSecretSchema,
  type Page,
  webhookIdSchema,
} from './webhook.dto.js';

@ApiTags('webhook endpoints')
@Access('admin')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointController {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly deliveries: WebhookDeliveryService,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'createWebhookEndpoint',
    summary: 'Register an endpoint; its signing secret is shown this once',
    description:
      'Events are delivered by HTTPS, signed by the Standard Webhooks specification, at least once and in order per order. Private addresses are refused unless configured.',
  })
  @ApiAnswer(201, 'Registered', endpointWithSecretSchema)
  create(@Body({ schema: endpointSchema }) body: EndpointBody): Promise<EndpointWithSecret> {
    return this.endpoints.create(body);
  }

  @Get()
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'Endpoints, newest first',
    description: 'With their state and their events, without their secrets.',
  })
  @ApiAnswer(200, 'A page of endpoints', endpointPageSchema)
  list(@Query({ schema: endpointListSchema }) query: EndpointListQuery): Promise<Page<EndpointView>> {
    return this.endpoints.list(query);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getWebhookEndpoint',
    summary: 'An endpoint, without its secret',
    description: 'An endpoint that fails for days is disabled, and says so here.',
  })
  @ApiAnswer(200, 'The endpoint', endpointViewSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  get(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.get(id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'A new signing secret, shown this once; the old one keeps signing beside it for 24 hours',
    description:
      'Deliveries carry a signature of each secret while both are valid, so that receivers can change over without losing one.',
  })
  @ApiAnswer(200, 'The endpoint with its new secret', endpointWithSecretSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  rotate(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointWithSecret> {
    return this.endpoints.rotate(id);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disableWebhookEndpoint',
    summary: 'Stop delivering: what is open waits, what happens meanwhile is not delivered',
    description: 'For a receiver that is to be quiet for a while.',
  })
  @ApiAnswer(200, 'Disabled', endpointViewSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  disable(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.disable(id);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'enableWebhookEndpoint',
    summary: 'Deliver again, beginning with what is open',
    description: 'Deliveries that waited are sent in their order.',
  })
  @ApiAnswer(200, 'Enabled', endpointViewSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  enable(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.enable(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeWebhookEndpoint',
    summary: 'Remove an endpoint with its deliveries',
    description: 'Nothing is delivered to it any more, not even what is under way.',
  })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  remove(@Param('id', { schema: webhookIdSchema }) id: string): Promise<void> {
    return this.endpoints.remove(id);
  }

  @Get(':id/deliveries')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'Deliveries of an endpoint, newest first',
    description: 'Each with its attempts and the last answer. Filter by `state`: `DEAD` lists what was given up.',
  })
  @ApiAnswer(200, 'A page of deliveries', deliveryPageSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND')
  listDeliveries(
    @Param('id', { schema: webhookIdSchema }) id: string,
    @Query({ schema: deliveryListSchema }) query: DeliveryListQuery,
  ): Promise<Page<DeliveryView>> {
    return this.deliveries.list(id, query);
  }

  @Post(':id/deliveries/:deliveryId/replay')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'replayWebhookDelivery',
    summary: 'Deliver again, now: what is dead, what waits for a retry, or what was delivered before',
    description: 'The event keeps its id, so that a receiver that has seen it can drop it.',
  })
  @ApiAnswer(202, 'To be delivered now', deliveryViewSchema)
  @ApiProblems('WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'INVALID_STATE')
  replay(
    @Param('id', { schema: webhookIdSchema }) id: string,
    @Param('deliveryId', { schema: webhookIdSchema }) deliveryId: string,
    @Body({ schema: verbSchema }) body: VerbBody,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryView> {
    return this.deliveries.replay(id, deliveryId, operatorOf(caller, body));
  }
}
