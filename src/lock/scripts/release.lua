-- Gives back what this owner holds or has reserved, and leaves the queues it stands in. A key with waiters is reserved
-- for the oldest of them for a short grace, and that one alone is woken: one command per hand-over, no thundering herd.
-- Keys held by somebody else are left alone, so a late release never frees the successor.
--
-- Uses the clock, records and write of batch.lua.
--
-- KEYS  the records of the keys, sorted
-- ARGV  1 owner    2 last token handed out, 0 if not known    3 "1" if the owner may stand in queues
-- returns the number of keys that were held

local owner, last = ARGV[1], ARGV[2]
local held_by_me, kept_for_me = owner .. ' ', '~' .. owner .. ' '
local released, woken = 0, nil

for i = 1, #KEYS do
  local key = KEYS[i]
  local record = records[key] or ''
  local has_waiters = string.sub(record, -2) == ' w'
  if has_waiters and ARGV[3] == '1' then redis.call('ZREM', key .. ':waiting', owner) end
  local is_held = string.sub(record, 1, #held_by_me) == held_by_me
  if is_held or string.sub(record, 1, #kept_for_me) == kept_for_me then
    local token = last
    -- The holder alone may lower the stored token: spare tokens that nobody used were never seen by anyone.
    if not is_held or last == '0' then token = string.match(record, '^%S+ %d+ %d+ (%d+)') end
    if is_held then released = released + 1 end
    local head = has_waiters and redis.call('ZPOPMIN', key .. ':waiting') or {}
    if head[1] then
      write(key, string.format('~%s %s %d %s %.0f w', head[1], now_text, GRACE_MS, token, head[2]), RETENTION_MS)
      woken = woken or {}
      woken[head[1]] = true
    else
      write(key, token)
    end
  end
end

for waiter in pairs(woken or {}) do
  redis.call('PUBLISH', CHANNEL .. string.match(waiter, '^[^.]+'), waiter)
end
return released
