package dev.lightpath.cli.ring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.planner.ring.RingShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What {@code ring repair} needs of a {@link PlacementDocument}, read field by field so that every complaint names the
 * field.
 *
 * @param groups network numbers in ring order
 */
record GivenPlacement(List<List<Integer>> groups, List<Integer> faultyNodes, PlacementDocument.Parameters parameters) {

    /** @throws BadInput naming the file, the field and what is allowed */
    static GivenPlacement of(JsonNode document, String file) {
        if (!document.isObject()) {
            throw new BadInput(file + ": must be an object, an output of 'ring place -o json'");
        }
        JsonNode groups = field(document, "groups", file);
        JsonNode faultyNodes = field(document, "faultyNodes", file);
        JsonNode parameters = field(document, "parameters", file);
        if (!groups.isArray() || groups.isEmpty()) {
            throw new BadInput(file + ": groups must be a list of groups, at least one");
        }
        List<List<Integer>> members = new ArrayList<>();
        for (int index = 0; index < groups.size(); index++) {
            members.add(numbers(groups.get(index), "groups[" + index + "]", file));
        }
        List<Integer> faulty = numbers(faultyNodes, "faultyNodes", file);
        return new GivenPlacement(
                members,
                faulty,
                new PlacementDocument.Parameters(
                        number(parameters, "gpus", file),
                        number(parameters, "gpusPerNode", file),
                        number(parameters, "reach", file),
                        shape(parameters, file),
                        number(parameters, "nodesPerTor", file),
                        number(parameters, "nodesPerAggregation", file),
                        number(parameters, "tensor", file)));
    }

    private static JsonNode field(JsonNode document, String name, String file) {
        JsonNode field = document.get(name);
        if (field == null || field.isNull()) {
            throw new BadInput(file + ": " + name + " is missing; an output of 'ring place -o json' is wanted");
        }
        return field;
    }

    private static List<Integer> numbers(JsonNode list, String name, String file) {
        if (!list.isArray()) {
            throw new BadInput(file + ": " + name + " must be a list of node numbers");
        }
        List<Integer> numbers = new ArrayList<>();
        for (JsonNode number : list) {
            if (!number.isIntegralNumber() || !number.canConvertToInt()) {
                throw new BadInput(file + ": " + name + ": " + number + " is no node number");
            }
            numbers.add(number.intValue());
        }
        return numbers;
    }

    private static int number(JsonNode parameters, String name, String file) {
        JsonNode number = parameters.path(name);
        if (!number.isIntegralNumber() || !number.canConvertToInt()) {
            throw new BadInput(file + ": parameters." + name + " must be a whole number");
        }
        return number.intValue();
    }

    private static String shape(JsonNode parameters, String file) {
        String shape = parameters.path("shape").asText("");
        boolean known =
                Arrays.stream(RingShape.values()).anyMatch(each -> each.name().equalsIgnoreCase(shape));
        if (!known) {
            throw new BadInput(file + ": parameters.shape '" + shape + "' must be line or ring");
        }
        return shape.toLowerCase(Locale.ROOT);
    }
}
