defmodule TcrExUnitFormatter do
  @moduledoc "An ExUnit formatter: one JSON line for each test that ended, and one for the end."
  use GenServer

  def init(_opts) do
    # Each application of an umbrella has its own suite, and all of them are the run.
    out = System.get_env("GIT_TCR_OUT") || :persistent_term.get(:git_tcr_out, nil)
    if out, do: :persistent_term.put(:git_tcr_out, out)
    # What the tests start themselves is not.
    System.delete_env("GIT_TCR_OUT")
    path = if out, do: Path.join(out, "exunit-#{System.pid()}.jsonl"), else: "/dev/null"
    {:ok, File.open!(path, [:append, :utf8])}
  end

  def handle_cast({:test_finished, %{name: name, module: module, state: state, tags: tags}}, io) do
    {status, kind, message} = describe(state)

    put(io, [
      {"module", inspect(module)},
      {"name", to_string(name)},
      {"file", tags[:file] || ""},
      {"line", tags[:line] || 0},
      {"status", status},
      {"kind", kind},
      {"message", message}
    ])
  end

  def handle_cast({:suite_started, _}, io), do: put(io, [{"event", "suite_started"}])
  def handle_cast({:suite_finished, _}, io), do: put(io, [{"event", "suite_finished"}])
  def handle_cast(_, io), do: {:noreply, io}

  defp describe(nil), do: {"passed", nil, nil}

  # The set-up of the module failed, and tells why.
  defp describe({:invalid, %{state: {:failed, failures}}}), do: {"invalid", nil, messages(failures)}

  defp describe({:failed, failures}) do
    kinds = Enum.map(failures, fn {kind, reason, _} -> kind(kind) <> ":" <> name(reason) end)
    status = if Enum.all?(failures, &in_fixture?/1), do: "invalid", else: "failed"
    {status, Enum.join(kinds, ","), messages(failures)}
  end

  defp describe({state, _}), do: {to_string(state), nil, nil}

  defp messages(failures) do
    failures |> Enum.map_join("\n", &banner/1) |> String.slice(0, 2000)
  end

  # The number of a process is another one in each run.
  defp banner({{:EXIT, _pid}, {%{__exception__: true} = raised, stack}, _}) when is_list(stack),
    do: Exception.format_banner(:error, raised, stack)

  defp banner({{:EXIT, _pid}, reason, _}), do: "** (EXIT) " <> Exception.format_exit(reason)
  defp banner({kind, reason, stack}), do: Exception.format_banner(kind, reason, stack)

  # `{:EXIT, pid}` where a process that the test is linked to went down.
  defp kind({kind, _pid}), do: to_string(kind)
  defp kind(kind), do: to_string(kind)

  # The set-up of a test is a function of its module; what it left to do on exit is called by a process of its own.
  defp in_fixture?({{:EXIT, _pid}, {%{__exception__: true}, stack}, _}) when is_list(stack), do: in_fixture?(stack)
  defp in_fixture?({_kind, _reason, stack}), do: in_fixture?(stack)

  defp in_fixture?(stack) do
    Enum.any?(stack, fn
      {ExUnit.OnExitHandler, _function, _arity, _place} -> true
      {_module, function, _arity, _place} -> String.contains?(to_string(function), "__ex_unit_setup")
      _ -> false
    end)
  end

  defp name(%{__exception__: true, __struct__: struct}), do: inspect(struct)
  # What a linked process raised comes with its stack.
  defp name({%{__exception__: true} = raised, stack}) when is_list(stack), do: name(raised)
  defp name(reason), do: inspect(reason)

  defp put(io, fields) do
    IO.puts(io, ["{", fields |> Enum.map(&field/1) |> Enum.intersperse(","), "}"])
    {:noreply, io}
  end

  defp field({name, value}), do: [json(name), ":", json(value)]

  defp json(nil), do: "null"
  defp json(number) when is_integer(number), do: Integer.to_string(number)

  defp json(text) do
    text = if String.valid?(text), do: text, else: inspect(text)

    escaped =
      for <<char::utf8 <- text>>, into: "" do
        case char do
          ?" -> "\\\""
          ?\\ -> "\\\\"
          c when c < 0x20 -> "\\u" <> String.pad_leading(Integer.to_string(c, 16), 4, "0")
          c -> <<c::utf8>>
        end
      end

    "\"" <> escaped <> "\""
  end
end

# Only the wanted tests; one name a line.
with aim when is_binary(aim) <- System.get_env("GIT_TCR_AIM_EXUNIT"), {:ok, names} <- File.read(aim) do
  System.delete_env("GIT_TCR_AIM_EXUNIT")
  wanted = for name <- String.split(names, "\n", trim: true), do: {:test, String.to_atom(name)}
  Application.put_env(:ex_unit, :include, wanted, persistent: true)
  Application.put_env(:ex_unit, :exclude, [:test], persistent: true)
end
