import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { APP_CONFIG, type AppConfig } from '../platform/config/app-config.js';
import { Access } from '../platform/http/auth/caller.js';
import { PublicUrl } from '../platform/http/public-url.js';
import { type ShopSettings, toShopSettings } from './shop-settings.js';

/** Of our own page alone, so not in the description of the API. The key in it is a publishable one. */
@ApiExcludeController()
@Access('open')
@Controller('shop')
export class ShopSettingsController {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Get('config.json')
  @Header('cache-control', 'no-store')
  settings(): ShopSettings {
    return toShopSettings(this.config, this.publicUrl.of(''));
  }
}
