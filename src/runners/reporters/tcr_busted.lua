-- LUA_INIT=@<this>: listens to busted as soon as a program loads it.
local out = os.getenv('GIT_TCR_OUT')
if not out then return end

local function json(value)
  if type(value) ~= 'string' then return tostring(value) end
  local escaped = value:gsub('[%c"\\]', function(char) return string.format('\\u%04x', char:byte()) end)
  return '"' .. escaped .. '"'
end

local function listen(busted)
  local path = out .. '/busted-' .. tostring(os.time()) .. tostring({}):gsub('[^%w]', '') .. '.jsonl'
  local function write(fields)
    local parts = {}
    for name, value in pairs(fields) do
      local text = type(value) == 'table' and ('[' .. json(value[1]) .. ',' .. json(value[2]) .. ']') or json(value)
      parts[#parts + 1] = json(name) .. ':' .. text
    end
    local file = io.open(path, 'a')
    if file then
      file:write('{' .. table.concat(parts, ',') .. '}\n')
      file:close()
    end
  end

  local function named(element, parent)
    local names, at, file = { element.name or element.descriptor }, parent or busted.context.parent(element), nil
    while at do
      if at.descriptor == 'file' then file = at.name end
      if at.descriptor == 'describe' then table.insert(names, 1, at.name) end
      at = busted.context.parent(at)
    end
    file = file and file:gsub('^%./', '')
    if file then table.insert(names, 1, file) end
    return table.concat(names, ' > '), file
  end

  local failed = {}
  local function words(message)
    return type(message) == 'table' and (message.message or tostring(message)) or tostring(message or '')
  end

  local function on_problem(element, parent, message, trace)
    if element.descriptor == 'it' then
      failed[element] = words(message)
    elseif element.descriptor ~= 'pending' then
      local _, file = named(element, parent)
      local what = element.descriptor == 'file' and element.name or file or element.name or element.descriptor
      write({ event = 'load', what = what, message = words(message) })
    end
    return nil, true
  end

  local RAISED = { '^attempt to ', '^bad argument #', "^module '", '^error loading module ' }
  local function is_raised(text)
    text = text:gsub('^[^:\n]+:%d+: ', '')
    for _, pattern in ipairs(RAISED) do
      if text:find(pattern) then return true end
    end
    return false
  end

  busted.subscribe({ 'suite', 'start' }, function() write({ event = 'start' }) return nil, true end)
  busted.subscribe({ 'suite', 'end' }, function() write({ event = 'end' }) return nil, true end)
  busted.subscribe({ 'test', 'start' }, function(element, parent)
    local id = named(element, parent)
    write({ event = 'begin', id = id })
    return nil, true
  end)
  for _, event in ipairs({ 'failure', 'error' }) do
    busted.subscribe({ event }, on_problem)
  end
  busted.subscribe({ 'test', 'end' }, function(element, parent, status)
    local id, file = named(element, parent)
    local fields = { id = id, file = file, status = 'passed' }
    if status == 'pending' then
      fields.status = 'skipped'
    elseif status ~= 'success' then
      local message = failed[element] or ''
      fields.message = message
      fields.status = 'failed'
      if is_raised(message) then fields.kind = 'Error' end
      local line = message:match('^[^:\n]+:(%d+): ')
      if line and file then fields.at = { file, tonumber(line) } end
    end
    write(fields)
    return nil, true
  end)
end

local load = require
function require(name, ...)
  local found = load(name, ...)
  if name == 'busted.core' and type(found) == 'function' then
    return function(...)
      local busted = found(...)
      pcall(listen, busted)
      return busted
    end
  end
  return found
end
