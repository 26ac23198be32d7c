import { Inject, Injectable } from '@nestjs/common';
import { APP_CONFIG, type AppConfig } from '../config/app-config.js';

/** Where browsers reach the service: PUBLIC_URL, or the address on which it listens. */
@Injectable()
export class PublicUrl {
  private readonly returnOrigins: readonly string[];
  private base: string;

  constructor(@Inject(APP_CONFIG) private readonly config: AppConfig) {
    this.base = config.http.publicUrl ?? '';
    this.returnOrigins = config.http.returnOrigins;
  }

  /** The port is known only once the service listens. */
  listensAt(url: string): void {
    this.base = this.config.http.publicUrl ?? url.replace(/\/+$/, '');
  }

  of(path: string): string {
    return `${this.base}${path}`;
  }

  /** Whether a customer may be sent there: to a page of a known shop, or to one of our own. */
  mayReturnTo(url: string): boolean {
    const { origin } = new URL(url);
    if (this.returnOrigins.includes('*') || this.returnOrigins.includes(origin)) return true;
    return this.base !== '' && new URL(this.base).origin === origin;
  }
}
