-- Adds to counters and answers their totals, which then hold what every instance has counted.
--
-- KEYS     counters of one window, all in one hash slot
-- ARGV[1]  time to live in ms, set when a counter is created
-- ARGV[2…] what to add to each counter, in the order of KEYS
-- returns  the totals, in the order of KEYS

local totals = {}
for i = 1, #KEYS do
  totals[i] = redis.call('INCRBY', KEYS[i], ARGV[i + 1])
  if totals[i] == tonumber(ARGV[i + 1]) then redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
end
return totals
