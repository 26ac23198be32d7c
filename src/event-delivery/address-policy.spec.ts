import { AddressPolicy, isPublicAddress, type ResolvedAddress } from './address-policy.js';

describe('which addresses are public', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200', // a cloud's metadata service
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254', // most clouds' metadata service
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192', // another cloud's
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::a9fe:a9fe', // NAT64 of 169.254.169.254
    '64:ff9b:1::1',
    '100::1',
    '2001::1', // Teredo
    '2001:db8::1',
    '2002:7f00:1::1', // 6to4 of 127.0.0.1
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254', // a metadata service
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '5f00::1',
    'not an address',
    '',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    '%s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('which URLs an endpoint may have', () => {
  const policy = new AddressPolicy(['127.0.0.1:4000', 'Internal.example', '[::1]:5000']);

  it.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'https://user@internal.example/',
    'https://127.0.0.1/',
    'https://127.0.0.1:4001/',
    'http://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://017700000001/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0/',
  ])('not %s', (url) => {
    expect(() => policy.check(new URL(url))).toThrow(/must/);
  });

  it.each([
    'https://example.com/hooks?x=1',
    'https://8.8.8.8/',
    'http://127.0.0.1:4000/hooks',
    'https://127.0.0.1:4000/hooks',
    'http://internal.example:81/',
    'http://[::1]:5000/',
  ])('%s', (url) => {
    expect(() => policy.check(new URL(url))).not.toThrow();
  });

  it('looks behind the name, and refuses one that leads inside', async () => {
    await expect(policy.resolve(new URL('https://localhost/'))).rejects.toThrow('does not lead to a public address');
    await expect(policy.resolve(new URL('https://[::1]/'))).rejects.toThrow('must lead to a public address');
    const open = new AddressPolicy(['localhost']);
    const addresses = await open.resolve(new URL('http://localhost:1/'));
    expect(addresses.length).toBeGreaterThan(0);
  });

  it('asks once for all who wait for the answer, and anew for those who come later', async () => {
    const answers: ((addresses: ResolvedAddress[]) => void)[] = [];
    const names = new AddressPolicy([], () => new Promise((resolve) => answers.push(resolve)));
    const url = new URL('https://shop.example/hooks');
    const crowd = Array.from({ length: 10 }, () => names.resolve(url));
    expect(answers).toHaveLength(1);
    answers[0]!([{ address: '8.8.8.8', family: 4 }]);
    for (const resolved of crowd) await expect(resolved).resolves.toEqual([{ address: '8.8.8.8', family: 4 }]);
    const late = names.resolve(url);
    answers[1]!([
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
    await expect(late).rejects.toThrow('does not lead to a public address');
  });
});
