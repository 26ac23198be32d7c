-- Extends the lease on all keys if all are still held by the owner, and records the highest token handed out.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner    2 lease in ms    3 highest token the holder may hand out    4 retention ms of a record
-- returns 0 lost, 1 renewed, 2 renewed and somebody waits

local owner, lease = ARGV[1], tonumber(ARGV[2])
local records = redis.call('MGET', unpack(KEYS))
local time = redis.call('TIME')
local now = math.floor(time[1] * 1000 + time[2] / 1000)
local result, renewed = 1, {}

for i = 1, #KEYS do
  local holder, token, stamp, flag
  if records[i] then holder, token, stamp, flag = string.match(records[i], '^(%S+) %d+ (%d+) (%d+)(.*)$') end
  if holder ~= owner then return 0 end
  if flag ~= '' then result = 2 end
  token = math.max(tonumber(token), tonumber(ARGV[3]))
  renewed[i] = string.format('%s %.0f %.0f %s%s', owner, now + lease, token, stamp, flag)
end

for i = 1, #KEYS do redis.call('SET', KEYS[i], renewed[i], 'PX', ARGV[4] + lease) end
return result
