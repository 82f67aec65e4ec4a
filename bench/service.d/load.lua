-- Asks for one picture after another, each under an address of its own, and tells how it went.
-- Arguments: the way (affix, quick, same, upload, thumbor, peer), the origin, a list of pictures.
local way, origin, pictures, count = "", "", {}, 0

function init(arguments)
  way, origin = arguments[1], arguments[2]
  for index = 3, #arguments do pictures[#pictures + 1] = arguments[index] end
  count = math.random(1000000000) -- no answer of an earlier run is this one's
  if way == "upload" then
    local file = io.open(pictures[1], "rb")
    body = file:read("*a")
    file:close()
  end
end

function request()
  count = count + 1
  local address = origin .. "/" .. pictures[count % #pictures + 1] .. "?n=" .. count
  if way == "thumbor" then return wrk.format("GET", "/unsafe/800x0/" .. address) end
  if way == "peer" then return wrk.format("GET", "/?url=" .. address) end
  if way == "same" then return wrk.format("GET", "/v1/attachments/" .. pictures[1] .. "/preview") end
  if way == "upload" then
    return wrk.format("POST", "/v1/attachments?preview_size=800", { ["Content-Type"] = "image/jpeg" }, body)
  end
  local wanted = way == "quick" and ',"quick":true' or ',"preview":{"size":800}'
  return wrk.format("POST", "/v1/attachments", { ["Content-Type"] = "application/json" },
    '{"url":"' .. address .. '"' .. wanted .. "}")
end

function done(summary, latency, requests)
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"most":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency.max,
    summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
