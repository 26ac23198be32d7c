import { Inject, Injectable } from '@nestjs/common';
import { newId } from '../common/id.js';
import { DomainError } from '../common/domain-error.js';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { TransactionRunner } from '../platform/postgres/transaction-runner.js';
import { AddressNotAllowedError, AddressPolicy } from './address-policy.js';
import { EndpointRow, WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';
import {
  EndpointBody,
  EndpointListQuery,
  EndpointView,
  EndpointWithSecret,
  Page,
  toEndpointView,
  toPage,
} from './webhook.dto.js';

const OVERLAP_SECONDS = 24 * 3_600;

@Injectable()
export class WebhookEndpointService {
  private readonly policy: AddressPolicy;

  constructor(
    @Inject(APP_CONFIG) config: AppConfig,
    private readonly transactions: TransactionRunner,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly secrets: WebhookSecrets,
  ) {
    this.policy = new AddressPolicy(config.webhooks.allowedHosts);
  }

  async create(body: EndpointBody): Promise<EndpointWithSecret> {
    const id = newId();
    const secret = this.secrets.generate();
    const row = await this.endpoints.insert({
      id,
      url: this.acceptable(body.url),
      events: body.events,
      description: body.description,
      secret: this.secrets.seal(secret, id),
    });
    return { ...viewOf(row), secret };
  }

  async list({ limit, cursor }: EndpointListQuery): Promise<Page<EndpointView>> {
    return toPage(await this.endpoints.list(cursor, limit + 1), limit, toEndpointView);
  }

  async get(id: string): Promise<EndpointView> {
    return viewOf(await this.endpoints.find(id));
  }

  /** Both secrets sign for a day, so that the endpoint can switch at any time in it. */
  async rotate(id: string): Promise<EndpointWithSecret> {
    const secret = this.secrets.generate();
    const sealed = this.secrets.seal(secret, id);
    return { ...viewOf(await this.endpoints.rotate(this.transactions, id, sealed, OVERLAP_SECONDS)), secret };
  }

  /** No new deliveries; those that are open wait. */
  async disable(id: string): Promise<EndpointView> {
    return viewOf(await this.endpoints.disable(this.transactions, id, 'by an operator'));
  }

  async enable(id: string): Promise<EndpointView> {
    return this.transactions.run(async (tx) => viewOf(await this.endpoints.enable(tx, id)));
  }

  /** In a transaction, which is retried after a deadlock: deliveries may end in another order than they are removed in. */
  async remove(id: string): Promise<void> {
    viewOf(await this.transactions.run((tx) => this.endpoints.remove(tx, id)));
  }

  private acceptable(text: string): string {
    const url = new URL(text);
    url.hash = '';
    try {
      this.policy.check(url);
      return url.toString();
    } catch (error) {
      if (!(error instanceof AddressNotAllowedError)) throw error;
      const errors = [{ path: 'url', message: error.message }];
      throw new DomainError('VALIDATION_FAILED', `url: ${error.message}`, { errors });
    }
  }
}

function viewOf(row: EndpointRow | null | undefined): EndpointView {
  if (!row) throw new DomainError('WEBHOOK_ENDPOINT_NOT_FOUND', 'The webhook endpoint does not exist');
  return toEndpointView(row);
}
