-- Gives back what this owner holds or has reserved, and leaves the queues it stands in. A key with waiters is reserved
-- for the oldest of them for a short grace, and that one alone is woken: one command per hand-over, no thundering herd.
-- Keys held by somebody else are left alone, so a late release never frees the successor.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner    2 last token handed out, 0 if not known    3 "1" if the owner may stand in queues    4 grace ms of a reservation
--       5 retention ms of a record            6 prefix of wake-up channels
-- returns the number of keys that were held

local owner, last = ARGV[1], ARGV[2]
local records = redis.call('MGET', unpack(KEYS))
local released, now, woken = 0, nil, {}

for i = 1, #KEYS do
  local record, key = records[i], KEYS[i]
  if record then
    local holder, token, flag = string.match(record, '^(%S+) %d+ (%d+) %d+(.*)$')
    local queue = key .. ':waiting'
    if ARGV[3] == '1' and flag ~= '' then redis.call('ZREM', queue, owner) end
    if holder == owner or holder == '~' .. owner then
      -- The holder alone may lower the stored token: spare tokens that nobody used were never seen by anyone.
      if holder == owner then
        released = released + 1
        if last ~= '0' then token = last end
      end
      local next = flag ~= '' and redis.call('ZPOPMIN', queue) or {}
      if next[1] then
        if not now then
          local time = redis.call('TIME')
          now = math.floor(time[1] * 1000 + time[2] / 1000)
        end
        local reserved = string.format('~%s %.0f %s %.0f w', next[1], now + ARGV[4], token, next[2])
        redis.call('SET', key, reserved, 'PX', ARGV[5])
        woken[next[1]] = true
      else
        redis.call('SET', key, '- 0 ' .. token .. ' 0', 'PX', ARGV[5])
      end
    end
  end
end

for waiter in pairs(woken) do
  redis.call('PUBLISH', ARGV[6] .. string.match(waiter, '^[^.]+'), waiter)
end
return released
