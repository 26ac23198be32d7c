import { environmentSchema } from '../config/environment.js';
import { connectionTarget, describeTarget } from './servers.js';

describe('connectionTarget', () => {
  it('leaves a URL with one server to pg', () => {
    const url = 'postgres://shop:a,b@db.example:6432/shop?sslmode=require';
    expect(connectionTarget(url)).toEqual({ connectionString: url, servers: [] });
  });

  it('reads several servers, and gives pg the first', () => {
    const url = 'postgresql://shop:p%40ss@a.example:6432,b.example,[::1]:7000/shop?target_session_attrs=primary';
    expect(connectionTarget(url)).toEqual({
      connectionString: 'postgresql://shop:p%40ss@a.example:6432/shop?target_session_attrs=primary',
      servers: [
        { host: 'a.example', port: 6432 },
        { host: 'b.example', port: 5432 },
        { host: '::1', port: 7000 },
      ],
    });
    expect(describeTarget(url)).toBe('a.example:6432,b.example,[::1]:7000/shop');
  });

  it('refuses sessions that may not write', () => {
    expect(() => connectionTarget('postgres://a,b/shop?target_session_attrs=prefer-standby')).toThrow('read-write');
    expect(() => connectionTarget('postgres://a,b/shop?target_session_attrs=any')).toThrow('read-write');
  });

  it('is what the configuration accepts', () => {
    const isAccepted = (DATABASE_URL: string) => environmentSchema.safeParse({ DATABASE_URL }).success;
    expect(isAccepted('postgres://u:p,w@a:1,b:2/shop?target_session_attrs=read-write')).toBe(true);
    expect(isAccepted('postgres://a,b/shop')).toBe(true);
    expect(isAccepted('postgres://u:p,w@a/shop')).toBe(true);
    expect(isAccepted('mysql://a,b/shop')).toBe(false);
  });
});
