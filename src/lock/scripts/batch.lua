-- Runs the commands that a process issued in one tick, in their order, as one call: the fixed costs of a script call,
-- of reading the clock and of reading the records are larger than the rest of a lock. Records are read once for all
-- commands and written once at the end, so a release and the acquire behind it are one write.
--
-- Numbers are kept as text wherever they are only passed on: formatting one costs as much as a GET.
-- The loader puts the body of each other file at the place marked below, as a function of KEYS and ARGV.
--
-- KEYS  the keys of all commands, one after another
-- ARGV  for each command: its name, the number of its keys, its arguments
-- returns the reply of each command

-- The common case by itself, without the machinery below: one command on one key for which nobody waits. It must do
-- exactly what the files for these commands do; who the caller is heir of does not matter for a key that is free.
if #KEYS == 1 then
  local command, owner, record = ARGV[1], ARGV[3], redis.call('GET', KEYS[1])
  local last = not record and 0 or tonumber(record)
  if command == 'acquire' and last and ARGV[6] == '0' then
    local time = redis.call('TIME')
    local micros = string.sub('00000' .. time[2], -6)
    local now_us = time[1] .. micros
    local token, floor = now_us, ARGV[5]
    if tonumber(floor) > tonumber(token) then token = floor end
    if last >= tonumber(token) then token = string.format('%.0f', last + 1) end
    local ttl = #ARGV[4] < 6 and RETENTION_MS or string.format('%d', ARGV[4] + RETENTION_MS)
    local from = time[1] .. string.sub(micros, 1, 3)
    redis.call('PSETEX', KEYS[1], ttl, owner .. ' ' .. from .. ' ' .. ARGV[4] .. ' ' .. token)
    return { { 1, token, now_us, 0 } }
  end
  if command == 'release' and ARGV[4] ~= '0' and string.sub(record or '', 1, #owner + 1) == owner .. ' ' and
    string.sub(record, -2) ~= ' w' then
    redis.call('SET', KEYS[1], ARGV[4], 'KEEPTTL')
    return { 1 }
  end
end

local records, written = {}, {}
local values = redis.call('MGET', unpack(KEYS))
for i = 1, #KEYS do records[KEYS[i]] = values[i] end

local now, now_text, now_us, now_us_text
local function read_clock()
  if now then return end
  local time = redis.call('TIME')
  local micros = string.sub('00000' .. time[2], -6)
  now_us, now_us_text = time[1] * 1000000 + time[2], time[1] .. micros
  now_text = time[1] .. string.sub(micros, 1, 3)
  now = tonumber(now_text)
end

-- Without a time to live, the record keeps the one it has.
local function write(key, record, ttl_ms)
  records[key] = record
  written[key] = ttl_ms or written[key] or 'KEEPTTL'
end

local function ttl_of(lease)
  return #lease < 6 and RETENTION_MS or string.format('%d', lease + RETENTION_MS)
end

local commands, arities = {}, { acquire = 6, renew = 3, release = 3 }
--@commands

local replies, key, argument = {}, 0, 1
while ARGV[argument] do
  local command, key_count = ARGV[argument], tonumber(ARGV[argument + 1])
  local keys = KEYS
  if key_count < #KEYS then
    keys = {}
    for i = 1, key_count do keys[i] = KEYS[key + i] end
  end
  local arity = arities[command]
  replies[#replies + 1] = commands[command](keys, { unpack(ARGV, argument + 2, argument + 1 + arity) })
  key, argument = key + key_count, argument + 2 + arity
end

for name, ttl in pairs(written) do
  if ttl == 'KEEPTTL' then
    redis.call('SET', name, records[name], 'KEEPTTL')
  else
    redis.call('PSETEX', name, ttl, records[name])
  end
end
return replies
