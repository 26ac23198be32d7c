-- Runs the commands that a process issued in one tick, in their order, as one call: the fixed costs of a script call,
-- of reading the clock and of reading the records are larger than the rest of a lock. Records are read once for all
-- commands and written once at the end, so a release and the acquire behind it are one write.
--
-- Numbers are kept as text wherever they are only passed on: formatting one costs as much as a GET. Functions are made
-- only where they are needed: making them, and collecting them, costs as much as the common case itself.
-- The loader puts the body of each other file at the place marked below, as a function of KEYS and ARGV.
--
-- KEYS  the keys of all commands, one after another
-- ARGV  for each command: its name, the number of its keys, its arguments
-- returns the reply of each command

local time = redis.call('TIME')
local micros = string.sub('00000' .. time[2], -6)
local now_us_text, now_text = time[1] .. micros, time[1] .. string.sub(micros, 1, 3)
local now_us, now = tonumber(now_us_text), tonumber(now_text)

local records, written = {}, {}
if #KEYS == 1 then
  records[KEYS[1]] = redis.call('GET', KEYS[1])
else
  local values = redis.call('MGET', unpack(KEYS))
  for i = 1, #KEYS do records[KEYS[i]] = values[i] end
end

local commands
local replies, key, first = {}, 0, 1
while ARGV[first] do
  local command, key_count, reply = ARGV[first], tonumber(ARGV[first + 1]), nil

  -- The common cases by themselves: one key for which nobody waits is acquired or released. They must do exactly what
  -- the files for these commands do; who the caller is heir of does not matter for a key that is free.
  if key_count == 1 then
    local name, record = KEYS[key + 1], records[KEYS[key + 1]]
    local owner = ARGV[first + 2]
    if command == 'release' then
      local token = ARGV[first + 3]
      if record and token ~= '0' and string.sub(record, 1, #owner + 1) == owner .. ' ' and
        string.sub(record, -2) ~= ' w' then
        records[name], written[name] = token, written[name] or 'KEEPTTL'
        reply = 1
      end
    elseif command == 'acquire' and ARGV[first + 5] == '0' then
      local last = not record and 0 or tonumber(record)
      if last then
        local lease, floor, token, token_text = ARGV[first + 3], ARGV[first + 4], now_us, now_us_text
        if tonumber(floor) > token then token, token_text = tonumber(floor), floor end
        if last >= token then token_text = string.format('%.0f', last + 1) end
        records[name] = owner .. ' ' .. now_text .. ' ' .. lease .. ' ' .. token_text
        written[name] = #lease < 6 and RETENTION_MS or string.format('%d', lease + RETENTION_MS)
        reply = { 1, token_text, now_us_text, 0 }
      end
    end
  end

  local arity = command == 'acquire' and 6 or 3
  if not reply then
    if not commands then
      commands = {}
      -- Without a time to live, the record keeps the one it has.
      local function write(key, record, ttl_ms)
        records[key] = record
        written[key] = ttl_ms or written[key] or 'KEEPTTL'
      end
      local function ttl_of(lease)
        return #lease < 6 and RETENTION_MS or string.format('%d', lease + RETENTION_MS)
      end
--@commands
    end
    local keys = {}
    for i = 1, key_count do keys[i] = KEYS[key + i] end
    reply = commands[command](keys, { unpack(ARGV, first + 2, first + 1 + arity) })
  end
  replies[#replies + 1] = reply
  key, first = key + key_count, first + 2 + arity
end

for name, ttl in pairs(written) do
  if ttl == 'KEEPTTL' then
    redis.call('SET', name, records[name], 'KEEPTTL')
  else
    redis.call('PSETEX', name, ttl, records[name])
  end
end
return replies
