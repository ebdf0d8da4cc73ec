package dev.lightpath.driver.config;

import dev.lightpath.driver.config.ModuleType.PortBits;
import dev.lightpath.driver.config.ModuleType.Register;
import dev.lightpath.driver.config.ModuleType.Selector;
import dev.lightpath.driver.config.ModuleType.Status;
import dev.lightpath.driver.config.ModuleType.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the file of a module type. */
final class ModuleTypeReader {
    private static final Pattern LANES = Pattern.compile("([1-8])-([1-8])");
    private static final String NUMBER = "a number from 0 to 255, such as 128 or 0x80";
    private static final int LONGEST_TRACE = 64;

    private ModuleTypeReader() {}

    /** @throws ConfigException with one line that says what is wrong, where, and what is allowed */
    static ModuleType read(Path file) throws ConfigException {
        YamlMap top = YamlMap.read(
                file,
                "vendor",
                "partNumber",
                "lanes",
                "selector",
                "status",
                "settleMillis",
                "failed",
                "stuck",
                "trace");
        YamlMap selector = needed(top, "selector", "bank", "page", "register", "loop", "path1", "path2", "dark");
        YamlMap status =
                needed(top, "status", "bank", "page", "register", "loop", "path1", "path2", "moving", "failed");
        distinct(selector, "loop", "path1", "path2", "dark");
        distinct(status, "loop", "path1", "path2", "moving", "failed");
        Optional<Integer> dark = optional(selector, "dark");
        for (String field : List.of("loop", "path1", "path2", "moving", "failed")) {
            if (dark.isPresent() && dark.equals(optional(status, field))) {
                throw status.wrong(
                        field, text(status, field), "a value other than selector.dark: the status shows both");
            }
        }
        apart(top, register(selector), register(status));
        return new ModuleType(
                file.toString(),
                top.required("vendor", "the vendor's name as the module has it; * stands for any text"),
                top.required("partNumber", "the part number as the module has it; * stands for any text"),
                lanes(top),
                new Selector(
                        register(selector),
                        number(selector, "loop"),
                        number(selector, "path1"),
                        number(selector, "path2"),
                        optional(selector, "dark")),
                new Status(
                        register(status),
                        number(status, "loop"),
                        number(status, "path1"),
                        number(status, "path2"),
                        optional(status, "moving"),
                        optional(status, "failed")),
                Duration.ofMillis(within(top, "settleMillis", "a number from 1 to 10000", 1, 10_000)),
                bits(top, "failed"),
                bits(top, "stuck"),
                trace(top));
    }

    /** A value that two positions share would be read as the first of them. */
    private static void distinct(YamlMap map, String... fields) throws ConfigException {
        Map<Integer, String> taken = new HashMap<>();
        for (String field : fields) {
            Optional<Integer> value = optional(map, field);
            String other = value.isEmpty() ? null : taken.putIfAbsent(value.get(), field);
            if (other != null) {
                throw map.wrong(field, text(map, field), "a value of its own: " + other + " has this one");
            }
        }
    }

    /** Texts to and from the far end lie on bytes of their own: one that is sent must move no selector. */
    private static void apart(YamlMap top, Register... positions) throws ConfigException {
        Optional<YamlMap> map = traceOf(top);
        Optional<Trace> trace = trace(top);
        if (map.isEmpty() || trace.isEmpty()) {
            return;
        }
        Register transmit = trace.get().transmit();
        Register receive = trace.get().receive();
        int length = trace.get().length();
        if (Math.abs(transmit.offset() - receive.offset()) < length) {
            throw map.get()
                    .wrong("receive", text(map.get(), "receive"), "a byte at least " + length + " away from transmit");
        }
        for (Register position : positions) {
            for (Register text : List.of(transmit, receive)) {
                if (position.bank() == text.bank()
                        && position.page() == text.page()
                        && position.offset() >= text.offset()
                        && position.offset() < text.offset() + length) {
                    String field = text.equals(transmit) ? "transmit" : "receive";
                    throw map.get()
                            .wrong(
                                    field,
                                    text(map.get(), field),
                                    "a byte from which " + length + " bytes do not reach the register " + position);
                }
            }
        }
    }

    private static String text(YamlMap map, String field) throws ConfigException {
        return map.text(field).orElse("");
    }

    private static YamlMap needed(YamlMap top, String field, String... allowed) throws ConfigException {
        Optional<YamlMap> map = top.map(field, allowed);
        if (map.isEmpty()) {
            throw top.missing(field, "allowed are " + String.join(", ", allowed));
        }
        return map.get();
    }

    private static Register register(YamlMap map) throws ConfigException {
        int page = within(map, "page", "a page of the vendor, from 0xB0 to 0xFF", 0xB0, 0xFF);
        int offset = within(map, "register", "a byte of the page, from 128 to 255", 128, 255);
        int bank = map.text("bank").isEmpty() ? 0 : within(map, "bank", "a number from 0 to 3", 0, 3);
        return new Register(bank, page, offset);
    }

    private static Optional<PortBits> bits(YamlMap top, String field) throws ConfigException {
        Optional<YamlMap> map = top.map(field, "bank", "page", "register", "common", "loop", "path1", "path2");
        return map.isEmpty()
                ? Optional.empty()
                : Optional.of(new PortBits(
                        register(map.get()),
                        number(map.get(), "common"),
                        number(map.get(), "loop"),
                        number(map.get(), "path1"),
                        number(map.get(), "path2")));
    }

    private static Optional<YamlMap> traceOf(YamlMap top) throws ConfigException {
        return top.map("trace", "bank", "page", "transmit", "receive", "length");
    }

    private static Optional<Trace> trace(YamlMap top) throws ConfigException {
        Optional<YamlMap> map = traceOf(top);
        if (map.isEmpty()) {
            return Optional.empty();
        }
        int page = within(map.get(), "page", "a page of the vendor, from 0xB0 to 0xFF", 0xB0, 0xFF);
        int bank = map.get().text("bank").isEmpty() ? 0 : within(map.get(), "bank", "a number from 0 to 3", 0, 3);
        int length = within(map.get(), "length", "a number from 8 to 64", 8, LONGEST_TRACE);
        int transmit = within(map.get(), "transmit", "a byte with room for the text behind it", 128, 256 - length);
        int receive = within(map.get(), "receive", "a byte with room for the text behind it", 128, 256 - length);
        return Optional.of(new Trace(new Register(bank, page, transmit), new Register(bank, page, receive), length));
    }

    private static int lanes(YamlMap top) throws ConfigException {
        String text = top.text("lanes").orElse("1-8");
        var lanes = LANES.matcher(text);
        if (!lanes.matches() || Integer.parseInt(lanes.group(1)) > Integer.parseInt(lanes.group(2))) {
            throw top.wrong("lanes", text, "the first and last lane, such as 1-4");
        }
        int bits = 0;
        for (int lane = Integer.parseInt(lanes.group(1)); lane <= Integer.parseInt(lanes.group(2)); lane++) {
            bits |= 1 << (lane - 1);
        }
        return bits;
    }

    private static int number(YamlMap map, String field) throws ConfigException {
        return within(map, field, NUMBER, 0, 255);
    }

    private static Optional<Integer> optional(YamlMap map, String field) throws ConfigException {
        return map.text(field).isEmpty() ? Optional.empty() : Optional.of(number(map, field));
    }

    private static int within(YamlMap map, String field, String allowed, int least, int most) throws ConfigException {
        String text = map.required(field, allowed);
        try {
            int value = Integer.decode(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw map.wrong(field, text, allowed);
    }
}
