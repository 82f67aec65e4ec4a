-- Mixed requests, two at a time on each connection, and what came of them.
-- Arguments: the origin of a picture, the file of one.
local origin, picture, count = "", "", 0
local results = {} -- of earlier checks: addresses of previews
local json, jpeg = { ["Content-Type"] = "application/json" }, { ["Content-Type"] = "image/jpeg" }
local threads = {}

statuses, wrong = "", "" -- texts, which `done` can be given

function setup(thread) threads[#threads + 1] = thread end

function init(arguments)
  origin = arguments[1]
  local file = io.open(arguments[2], "rb")
  picture = file:read("*a")
  file:close()
end

local function check(address)
  count = count + 1
  local url = address .. "?" .. count
  return wrk.format("POST", "/v1/attachments", json, '{"url":"' .. url .. '","preview":{"size":320}}')
end

local turn = 0
local kinds = {
  function() return check(origin) end,
  function() return check("http://10.1.2.3/refused.jpg") end,
  function() return wrk.format("POST", "/v1/attachments?preview_size=320", jpeg, picture) end,
  function() return wrk.format("GET", results[count % #results + 1] or "/healthz") end,
  function() return wrk.format("GET", "/healthz") end,
  function() return wrk.format("GET", "/v1/attachments/nobody") end,
  function() return wrk.format("POST", "/v1/attachments", json, '{"url":') end,
  function() return wrk.format("POST", "/v1/attachments", json, '{"url":"http://a/","policy":"x"}') end,
  function() return wrk.format("POST", "/v1/attachments", { ["Content-Type"] = "multipart/form-data" }, "x") end,
  function() return wrk.format("PUT", "/v1/codes", jpeg, "x") end,
}

local function one()
  turn = turn + 1
  return kinds[turn % #kinds + 1]()
end

-- Two at once: the second comes before the first is answered.
function request() return one() .. one() end

local counts = {}

function response(status, headers, body)
  counts[status] = (counts[status] or 0) + 1
  statuses = ""
  for code, number in pairs(counts) do statuses = statuses .. code .. " " .. number .. "," end
  local preview = body:match('"preview":"(/v1/[^"]*)"')
  if preview then results[#results < 64 and #results + 1 or math.random(64)] = preview end
  local type = headers["Content-Type"]
  local isRight = status == 200 and (type ~= "application/json" or body:sub(1, 1) == "{")
    or status >= 400 and type == "application/problem+json" and body:match('"code":"[%a-]+"')
  if not isRight and #wrong < 2000 then wrong = wrong .. status .. " " .. body:sub(1, 300) .. "\n" end
end

function done(summary)
  local errors = summary.errors
  io.write("\n", summary.requests, " ", errors.connect + errors.read + errors.write + errors.timeout, "\n")
  for _, thread in ipairs(threads) do io.write(thread:get("statuses"), "\n", thread:get("wrong")) end
end
