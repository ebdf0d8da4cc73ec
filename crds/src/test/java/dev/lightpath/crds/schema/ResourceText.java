package dev.lightpath.crds.schema;

import static java.util.Comparator.comparingInt;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What people read of a resource: its description, those of its spec and status, its columns in order.
 *
 * @param columns the names of the printer columns from left to right
 */
record ResourceText(String resource, String spec, String status, List<String> columns) {

    /** As the annotations of the class say; the generator sorts columns by path and drops the descriptions. */
    static ResourceText of(Class<? extends HasMetadata> resource) {
        var parameters = ((ParameterizedType) resource.getGenericSuperclass()).getActualTypeArguments();
        return new ResourceText(
                description(resource),
                description((Class<?>) parameters[0]),
                description((Class<?>) parameters[1]),
                Arrays.stream(resource.getAnnotationsByType(AdditionalPrinterColumn.class))
                        .map(AdditionalPrinterColumn::name)
                        .toList());
    }

    private static String description(Class<?> type) {
        return type.getAnnotation(JsonClassDescription.class).value();
    }

    void orderColumns(ArrayNode printed) {
        var sorted = new ArrayList<JsonNode>();
        printed.forEach(sorted::add);
        sorted.sort(comparingInt(column -> columns.indexOf(column.get("name").asText())));
        printed.removeAll();
        printed.addAll(sorted);
    }
}
