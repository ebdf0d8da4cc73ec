package dev.lightpath.conformance;

import dev.lightpath.conformance.bench.Unusable;
import dev.lightpath.conformance.requirement.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of requirements, with {@code *} for anything; a chapter alone means all of it. */
final class Patterns {
    private Patterns() {}

    /** @throws Unusable when a pattern matches nothing */
    static List<Requirement> select(List<Requirement> all, List<String> only, List<String> skip) {
        Stream.concat(only.stream(), skip.stream())
                .filter(pattern -> all.stream().noneMatch(r -> matches(pattern, r)))
                .findFirst()
                .ifPresent(nothing -> {
                    throw new Unusable(
                            "no requirement is named '" + nothing + "'; --list names them, * stands for" + " anything");
                });
        List<Requirement> chosen = all.stream()
                .filter(r -> only.isEmpty() || only.stream().anyMatch(p -> matches(p, r)))
                .filter(r -> skip.stream().noneMatch(p -> matches(p, r)))
                .toList();
        if (chosen.isEmpty()) {
            throw new Unusable("--only and --skip leave no requirement");
        }
        return chosen;
    }

    private static boolean matches(String pattern, Requirement requirement) {
        String expression =
                Arrays.stream(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return requirement.chapter().equals(pattern) || requirement.name().matches(expression);
    }
}
