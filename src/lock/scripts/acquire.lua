-- Takes every key or none, and mints the fencing token in the same step: a token minted after the SET would let a
-- stale holder get the higher number.
--
-- The record of a free key is its last token. A held one is "<owner> <from ms> <lease ms> <last token>", one that is
-- kept for a waiter whose turn it is "~<owner> <from ms> <grace ms> <last token> <since us>"; a trailing " w" says that
-- somebody waits. The waiters of a key are the sorted set <key>:waiting: same hash tag, so same slot.
--
-- Uses the clock, records and write of batch.lua.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner             2 lease in ms             3 floor: no token may be lower
--       4 spare tokens      5 since: us at which this request began to wait, 0 not yet, -1 it will not wait
--       6 heir of: processes, separated by spaces, whose keys are taken over rather than waited for; '' none
-- returns {1, token, now in us, 1 if others wait} or {0, since, ms until the first blocker expires, blocked indexes...}

local owner, lease, since = ARGV[1], ARGV[2], tonumber(ARGV[5])
local heir_of = ARGV[6] ~= '' and ' ' .. ARGV[6] .. ' '
local token, token_text = now_us, now_us_text
local floor = tonumber(ARGV[3])
if floor > token then token, token_text = floor, ARGV[3] end
local blocked, mine, outranked, flags
local retry = tonumber(lease)

for i = 1, #KEYS do
  local record = records[KEYS[i]]
  local last = record and tonumber(record)
  if record and not last then
    local holder, from, length, last_text, rest = string.match(record, '^(%S+) (%d+) (%d+) (%d+)(.*)$')
    local left = from + length - now
    last = tonumber(last_text)
    flags = flags or {}
    flags[i] = string.sub(rest, -2)
    local is_bequeathed = heir_of and string.find(heir_of, ' ' .. string.match(holder, '^[^.]*') .. ' ', 1, true)
    if left > 0 and holder ~= owner and not is_bequeathed then
      if holder == '~' .. owner then
        mine = mine or {}
        mine[#mine + 1] = i
      elseif string.sub(holder, 1, 1) == '~' and since > 0 and since < tonumber(string.match(rest, '%d+')) then
        -- Wound-wait: the older waiter takes over a younger one's reservation, so two requests that each have a
        -- key reserved that the other needs cannot block each other, and the oldest always gets through.
        outranked = outranked or {}
        outranked[#outranked + 1] = { i, string.match(rest, '%d+'), string.sub(holder, 2) }
      else
        blocked = blocked or {}
        blocked[#blocked + 1] = { i, holder, record }
        if left < retry then retry = left end
      end
    end
  end
  if last and last >= token then token, token_text = last + 1, nil end
end

if blocked then
  local reply = { 0, 0, retry + 1 }
  for _, block in ipairs(blocked) do reply[#reply + 1] = block[1] end
  if since < 0 then return reply end
  local since_text = since == 0 and now_us_text or ARGV[5]
  local notified = {}
  for _, block in ipairs(blocked) do
    local key, holder = KEYS[block[1]], block[2]
    redis.call('ZADD', key .. ':waiting', since_text, owner)
    redis.call('PEXPIRE', key .. ':waiting', QUEUE_TTL_MS)
    if flags[block[1]] ~= ' w' then
      -- The first waiter notifies the holder, which would otherwise go on serving its own process.
      write(key, block[3] .. ' w')
      if not notified[holder] then redis.call('PUBLISH', CHANNEL .. string.match(holder, '^[^.]+'), '!' .. holder) end
      notified[holder] = true
    end
  end
  for _, i in ipairs(mine or {}) do
    write(KEYS[i], (string.gsub(records[KEYS[i]], '^(%S+) %d+', '%1 ' .. now_text)))
  end
  reply[2] = since_text
  return reply
end

token_text = token_text or string.format('%.0f', token)
local stored_text = ARGV[4] == '0' and token_text or string.format('%.0f', token + ARGV[4])
local record = owner .. ' ' .. now_text .. ' ' .. lease .. ' ' .. stored_text
local contended = outranked and 1 or 0
for i = 1, #KEYS do
  local key = KEYS[i]
  if flags and flags[i] == ' w' then
    if since > 0 then redis.call('ZREM', key .. ':waiting', owner) end
    contended = contended + redis.call('EXISTS', key .. ':waiting')
    write(key, record .. ' w', ttl_of(lease))
  else
    write(key, record, ttl_of(lease))
  end
end
for _, loser in ipairs(outranked or {}) do
  redis.call('ZADD', KEYS[loser[1]] .. ':waiting', loser[2], loser[3])
end
return { 1, token_text, now_us_text, contended > 0 and 1 or 0 }
