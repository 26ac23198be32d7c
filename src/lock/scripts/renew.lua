-- Extends the lease on all keys if all are still held by the owner, and records the highest token handed out.
--
-- Uses the clock, records and write of batch.lua.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner    2 lease in ms    3 highest token the holder may hand out
-- returns 0 lost, 1 renewed, 2 renewed and somebody waits

local owner, lease, highest = ARGV[1], ARGV[2], ARGV[3]
local result, renewed = 1, {}

for i = 1, #KEYS do
  local holder, last, rest = string.match(records[KEYS[i]] or '', '^(%S+) %d+ %d+ (%d+)(.*)$')
  if holder ~= owner then return 0 end
  if rest ~= '' then result = 2 end
  local token = tonumber(highest) > tonumber(last) and highest or last
  renewed[i] = owner .. ' ' .. now_text .. ' ' .. lease .. ' ' .. token .. rest
end

for i = 1, #KEYS do write(KEYS[i], renewed[i], ttl_of(lease)) end
return result
