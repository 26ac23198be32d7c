import { RedisScript } from '../../../infrastructure/redis/redis-script.js';

export class LockScript extends RedisScript {
  constructor(name: 'acquire' | 'renew' | 'release') {
    super(new URL(`../../scripts/${name}.lua`, import.meta.url));
  }
}
