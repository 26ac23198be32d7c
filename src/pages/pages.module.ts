import { DynamicModule, Module } from '@nestjs/common';
import type { AppConfig } from '../platform/config/app-config.js';
import { RootController } from './root.controller.js';
import { ShopSettingsController } from './shop-settings.controller.js';

/** What browsers get: the way to the pages, and what the shop has to know before its first call. */
@Module({})
export class PagesModule {
  static register({ pages }: AppConfig): DynamicModule {
    const controllers = [RootController, ...(pages.includes('shop') ? [ShopSettingsController] : [])];
    return { module: PagesModule, controllers };
  }
}
