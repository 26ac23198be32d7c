import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccessTokens } from './auth/access-tokens.js';
import { AuthGuard } from './auth/auth.guard.js';
import { CustomerProof } from './auth/customer-proof.js';
import { LoadShedder, RateLimiter } from './limits/rate-limiter.js';
import { StreamLimiter } from './limits/stream-limiter.js';
import { WindowCounters } from './limits/window-counters.js';
import { PublicUrl } from './public-url.js';
import { ProblemFilter } from './problem.filter.js';
import { ValidationPipe } from './validation.pipe.js';

@Global()
@Module({
  providers: [
    AccessTokens,
    CustomerProof,
    PublicUrl,
    WindowCounters,
    RateLimiter,
    LoadShedder,
    StreamLimiter,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_GUARD, useClass: AuthGuard },
    { provide: APP_PIPE, useClass: ValidationPipe },
  ],
  exports: [AccessTokens, CustomerProof, PublicUrl, WindowCounters, RateLimiter, StreamLimiter],
})
export class HttpModule {}
