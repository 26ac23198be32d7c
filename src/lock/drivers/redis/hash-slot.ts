const SLOTS = 16_384;

/** CRC16 (XMODEM) of the hash tag, as Redis Cluster computes it. Names here always carry a tag. */
export function hashSlot(name: string): number {
  const open = name.indexOf('{');
  const close = name.indexOf('}', open + 1);
  const tag = open >= 0 && close > open + 1 ? name.slice(open + 1, close) : name;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}
