import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Access } from '../infrastructure/http/auth/caller.js';
import { WebhookDeliveryService } from './webhook-delivery.service.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import {
  type DeliveryListQuery,
  deliveryListSchema,
  type DeliveryView,
  type EndpointBody,
  type EndpointListQuery,
  endpointListSchema,
  endpointSchema,
  type EndpointView,
  type EndpointWithSecret,
  type Page,
  webhookIdSchema,
} from './webhook.dto.js';

@ApiTags('webhook endpoints')
@Access('admin')
@Controller('v1/webhook-endpoints')
export class WebhookController {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly deliveries: WebhookDeliveryService,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Register an endpoint; its signing secret is shown this once' })
  create(@Body({ schema: endpointSchema }) body: EndpointBody): Promise<EndpointWithSecret> {
    return this.endpoints.create(body);
  }

  @Get()
  @ApiOperation({ summary: 'Endpoints, newest first' })
  list(@Query({ schema: endpointListSchema }) query: EndpointListQuery): Promise<Page<EndpointView>> {
    return this.endpoints.list(query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'An endpoint, without its secret' })
  get(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.get(id);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({ summary: 'A new signing secret, shown this once; the old one keeps signing beside it for 24 hours' })
  rotate(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointWithSecret> {
    return this.endpoints.rotate(id);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOperation({ summary: 'Stop delivering: what is open waits, what happens meanwhile is not delivered' })
  disable(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.disable(id);
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOperation({ summary: 'Deliver again, beginning with what is open' })
  enable(@Param('id', { schema: webhookIdSchema }) id: string): Promise<EndpointView> {
    return this.endpoints.enable(id);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove an endpoint with its deliveries' })
  remove(@Param('id', { schema: webhookIdSchema }) id: string): Promise<void> {
    return this.endpoints.remove(id);
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: 'Deliveries of an endpoint, newest first' })
  listDeliveries(
    @Param('id', { schema: webhookIdSchema }) id: string,
    @Query({ schema: deliveryListSchema }) query: DeliveryListQuery,
  ): Promise<Page<DeliveryView>> {
    return this.deliveries.list(id, query);
  }

  @Post(':id/deliveries/:deliveryId/replay')
  @HttpCode(202)
  @ApiOperation({ summary: 'Deliver again, now: what is dead, what waits for a retry, or what was delivered before' })
  replay(
    @Param('id', { schema: webhookIdSchema }) id: string,
    @Param('deliveryId', { schema: webhookIdSchema }) deliveryId: string,
  ): Promise<DeliveryView> {
    return this.deliveries.replay(id, deliveryId);
  }
}
