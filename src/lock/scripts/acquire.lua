-- Takes every key or none, and mints the fencing token in the same step: a token minted after the SET would let a
-- stale holder get the higher number.
--
-- A record is "<holder> <expires ms> <last token> <acquired ms or since us>[ w]". The holder is an owner, "-" when
-- free, or "~<owner>" when the key is reserved for a waiter whose turn it is; a trailing "w" says that somebody waits.
-- The waiters of a key are the sorted set <key>:waiting, same hash tag, so same slot.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner             2 lease in ms             3 floor: no token may be lower
--       4 spare tokens      5 since: us at which this request began to wait, 0 not yet, -1 it will not wait
--       6 grace ms of a reservation                   7 retention ms of a record          8 prefix of wake-up channels
-- returns {1, token, now in us, 1 if others wait} or {0, since, ms until the first blocker expires, index of each blocked key...}

local owner, lease, since, grace = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[5]), tonumber(ARGV[6])
local retention = ARGV[7] + lease
local time = redis.call('TIME')
local now_us = time[1] * 1000000 + time[2]
local now = math.floor(now_us / 1000)
local token = math.max(tonumber(ARGV[3]), now_us)
local records = redis.call('MGET', unpack(KEYS))
local blocked, mine, outranked, flags = {}, {}, {}, {}
local retry = lease

for i = 1, #KEYS do
  local record = records[i]
  if record then
    local holder, expires, last, stamp, flag = string.match(record, '^(%S+) (%d+) (%d+) (%d+)(.*)$')
    expires = tonumber(expires)
    flags[i] = flag
    if tonumber(last) >= token then token = last + 1 end
    if expires > now and holder ~= owner then
      if holder == '~' .. owner then
        mine[#mine + 1] = i
      elseif string.sub(holder, 1, 1) == '~' and since > 0 and since < tonumber(stamp) then
        -- Wound-wait: the older waiter takes over a younger one's reservation, so two requests that each have a
        -- key reserved that the other needs cannot block each other, and the oldest always gets through.
        outranked[#outranked + 1] = { i, stamp, string.sub(holder, 2) }
      else
        blocked[#blocked + 1] = { i, holder, record, flag }
        if expires - now < retry then retry = expires - now end
      end
    end
  end
end

if #blocked > 0 then
  local reply = { 0, 0, retry + 1 }
  for _, block in ipairs(blocked) do reply[#reply + 1] = block[1] end
  if since < 0 then return reply end
  if since == 0 then since = now_us end
  local told = {}
  for _, block in ipairs(blocked) do
    local key, holder = KEYS[block[1]], block[2]
    redis.call('ZADD', key .. ':waiting', string.format('%.0f', since), owner)
    redis.call('PEXPIRE', key .. ':waiting', 60000)
    if block[4] == '' then
      -- The first waiter tells the holder, which would otherwise go on serving its own process.
      redis.call('SET', key, block[3] .. ' w', 'KEEPTTL')
      if not told[holder] then redis.call('PUBLISH', ARGV[8] .. string.match(holder, '^[^.]+'), '!' .. holder) end
      told[holder] = true
    end
  end
  for _, i in ipairs(mine) do
    local reserved = string.gsub(records[i], '^(%S+) %d+', '%1 ' .. string.format('%.0f', now + grace))
    redis.call('SET', KEYS[i], reserved, 'KEEPTTL')
  end
  reply[2] = string.format('%.0f', since)
  return reply
end

local record = string.format('%s %.0f %.0f %.0f', owner, now + lease, token + ARGV[4], now)
local is_contended = #outranked
for i = 1, #KEYS do
  local flag = flags[i] or ''
  redis.call('SET', KEYS[i], record .. flag, 'PX', retention)
  if flag ~= '' then
    if since > 0 then redis.call('ZREM', KEYS[i] .. ':waiting', owner) end
    is_contended = is_contended + redis.call('EXISTS', KEYS[i] .. ':waiting')
  end
end
for _, loser in ipairs(outranked) do
  redis.call('ZADD', KEYS[loser[1]] .. ':waiting', loser[2], loser[3])
end
return { 1, string.format('%.0f', token), string.format('%.0f', now_us), is_contended > 0 and 1 or 0 }
