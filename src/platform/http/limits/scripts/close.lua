-- Adds names to those that are closed, and answers all that every instance has closed.
--
-- KEYS[1]  names that were closed in this window, in the same hash slot as
-- KEYS[2]  those of the window before
-- ARGV[1]  time to live in ms
-- ARGV[2…] names to add to this window
-- returns  the names of this window, and those of the window before

if #ARGV > 1 then
  redis.call('SADD', KEYS[1], unpack(ARGV, 2))
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
end
return { redis.call('SMEMBERS', KEYS[1]), redis.call('SMEMBERS', KEYS[2]) }
