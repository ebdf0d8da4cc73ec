package dev.lightpath.cli.ring;

import dev.lightpath.console.text.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Lists of node numbers as they are typed: {@code 3,4} and {@code 1,2,5,6;9,10}. */
final class NodeLists {

    private NodeLists() {}

    /**
     * @param option named in errors
     * @param text nothing for no nodes
     * @throws BadInput if a number is missing, no number, beyond the nodes, or there twice
     */
    static List<Integer> parse(String option, String text, int nodes) {
        if (text.isBlank()) {
            return List.of();
        }
        SortedSet<Integer> seen = new TreeSet<>();
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int number = number(option, part.strip(), nodes);
            if (!seen.add(number)) {
                throw new BadInput(option + ": node " + number + " is listed twice, must be once");
            }
            numbers.add(number);
        }
        return numbers;
    }

    static SortedSet<Integer> parseSet(String option, String text, int nodes) {
        return new TreeSet<>(parse(option, text, nodes));
    }

    static List<List<Integer>> parseGroups(String option, String text, int nodes) {
        List<List<Integer>> groups = new ArrayList<>();
        for (String group : text.split(";", -1)) {
            if (group.isBlank()) {
                throw new BadInput(
                        option + ": '" + text + "' has an empty group; nodes are wanted, as in 1,2,5,6;9,10");
            }
            groups.add(parse(option, group, nodes));
        }
        return groups;
    }

    private static int number(String option, String text, int nodes) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number < nodes) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new BadInput(option + ": '" + text + "' is no node number (0.." + (nodes - 1) + ")", e);
        }
        throw new BadInput(option + ": node " + text + " must be 0.." + (nodes - 1));
    }
}
