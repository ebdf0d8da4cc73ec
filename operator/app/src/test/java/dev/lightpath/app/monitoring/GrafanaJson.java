package dev.lightpath.app.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.lightpath.app.monitoring.Dashboard.Uid;
import dev.lightpath.app.monitoring.Dashboard.Variable;
import dev.lightpath.app.monitoring.Panel.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a dashboard as Grafana reads it. The same dashboard is the same text. */
final class GrafanaJson {
    /** Where the pages of docs/runbooks are found; Helm and kustomize replace it. */
    static final String RUNBOOKS = "https://lightpath.example/docs/runbooks";

    /** Where the console is found; Helm and kustomize replace it. */
    static final String CONSOLE = "https://lightpath.example/console";

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int COLUMNS = 24;
    private static final Map<String, String> SOURCE = Map.of("uid", "${datasource}");

    private GrafanaJson() {}

    static String of(Dashboard dashboard) {
        Map<String, Object> page = map(
                "uid", dashboard.of().uid(),
                "title", dashboard.of().title(),
                "description", dashboard.description(),
                "tags", List.of("lightpath"),
                "schemaVersion", 39,
                "editable", true,
                "graphTooltip", 1,
                "refresh", "30s",
                "time", map("from", "now-1h", "to", "now"),
                "links",
                        List.of(
                                map(
                                        "type",
                                        "dashboards",
                                        "title",
                                        "Lightpath",
                                        "tags",
                                        List.of("lightpath"),
                                        "asDropdown",
                                        true,
                                        "includeVars",
                                        true,
                                        "keepTime",
                                        true),
                                map("type", "link", "title", "Console", "url", CONSOLE + "/#/", "targetBlank", true)),
                "templating", map("list", variables(dashboard)),
                "panels", panels(dashboard));
        try {
            return JSON.writeValueAsString(page) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int index = 0; index < pairs.length; index += 2) {
            map.put((String) pairs[index], pairs[index + 1]);
        }
        return map;
    }

    private static List<Object> variables(Dashboard dashboard) {
        List<Object> all = new ArrayList<>();
        all.add(map("name", "datasource", "type", "datasource", "query", "prometheus", "label", "Data source"));
        for (Variable variable : dashboard.variables()) {
            all.add(map(
                    "name",
                    variable.name(),
                    "type",
                    "query",
                    "label",
                    variable.name(),
                    "datasource",
                    SOURCE,
                    "query",
                    map("query", variable.query(), "refId", variable.name()),
                    "refresh",
                    2,
                    "includeAll",
                    true,
                    "allValue",
                    ".*",
                    "multi",
                    true,
                    "current",
                    map("text", "All", "value", "$__all"),
                    "sort",
                    1));
        }
        return all;
    }

    private static List<Object> panels(Dashboard dashboard) {
        List<Object> all = new ArrayList<>();
        int y = 0;
        for (Dashboard.Row row : dashboard.rows()) {
            all.add(map(
                    "id",
                    all.size() + 1,
                    "type",
                    "row",
                    "title",
                    row.title(),
                    "collapsed",
                    false,
                    "gridPos",
                    place(0, y, COLUMNS, 1),
                    "panels",
                    List.of()));
            y++;
            int x = 0;
            int tallest = 0;
            for (Panel panel : row.panels()) {
                if (x + panel.width > COLUMNS) {
                    x = 0;
                    y += tallest;
                    tallest = 0;
                }
                all.add(panel(all.size() + 1, panel, place(x, y, panel.width, height(panel))));
                x += panel.width;
                tallest = Math.max(tallest, height(panel));
            }
            y += tallest;
        }
        return all;
    }

    private static int height(Panel panel) {
        return panel.kind == Panel.Kind.STAT ? 4 : 8;
    }

    private static Map<String, Object> place(int x, int y, int width, int height) {
        return map("x", x, "y", y, "w", width, "h", height);
    }

    private static Map<String, Object> panel(int id, Panel panel, Map<String, Object> place) {
        Map<String, Object> written = map(
                "id",
                id,
                "type",
                type(panel.kind),
                "title",
                panel.title,
                "description",
                panel.description,
                "datasource",
                SOURCE,
                "gridPos",
                place,
                "targets",
                targets(panel),
                "fieldConfig",
                map("defaults", defaults(panel), "overrides", List.of()),
                "options",
                options(panel.kind));
        if (panel.kind == Panel.Kind.TABLE) {
            written.put("transformations", transformations(panel));
        }
        if (!panel.runbooks.isEmpty()) {
            written.put(
                    "links",
                    panel.runbooks.stream()
                            .map(alert -> map(
                                    "title", "Runbook " + alert,
                                    "url", RUNBOOKS + "/" + alert + ".md",
                                    "targetBlank", true))
                            .toList());
        }
        return written;
    }

    private static String type(Panel.Kind kind) {
        return switch (kind) {
            case STAT -> "stat";
            case GRAPH -> "timeseries";
            case TABLE -> "table";
        };
    }

    private static List<Object> targets(Panel panel) {
        List<Object> all = new ArrayList<>();
        for (Target target : panel.targets) {
            Map<String, Object> written = map(
                    "refId",
                    letter(all.size()),
                    "datasource",
                    SOURCE,
                    "expr",
                    target.query().text(),
                    "legendFormat",
                    panel.kind == Panel.Kind.GRAPH ? target.name() : "");
            if (target.query().exemplars()) {
                written.put("exemplar", true);
            }
            if (panel.kind == Panel.Kind.TABLE) {
                written.put("format", "table");
                written.put("instant", true);
            }
            all.add(written);
        }
        return all;
    }

    private static String letter(int index) {
        return String.valueOf((char) ('A' + index));
    }

    private static Map<String, Object> defaults(Panel panel) {
        Map<String, Object> defaults = map("unit", panel.unit);
        if (!panel.steps.isEmpty()) {
            List<Object> steps = new ArrayList<>();
            steps.add(map("color", "green", "value", null));
            panel.steps.forEach(step -> steps.add(map("color", step.colour(), "value", step.from())));
            defaults.put("color", map("mode", panel.kind == Panel.Kind.GRAPH ? "palette-classic" : "thresholds"));
            defaults.put("thresholds", map("mode", "absolute", "steps", steps));
            if (panel.kind == Panel.Kind.GRAPH) {
                defaults.put("custom", map("thresholdsStyle", map("mode", "line")));
            }
        }
        if (!panel.links.isEmpty()) {
            defaults.put(
                    "links",
                    panel.links.stream()
                            .map(link -> map("title", link.title(), "url", link.url()))
                            .toList());
        }
        return defaults;
    }

    private static Map<String, Object> options(Panel.Kind kind) {
        return switch (kind) {
            case STAT -> map("reduceOptions", map("calcs", List.of("lastNotNull")), "graphMode", "area");
            case GRAPH ->
                map("legend", map("displayMode", "list", "placement", "bottom"), "tooltip", map("mode", "multi"));
            case TABLE -> map("showHeader", true);
        };
    }

    /** One row for the targets' series that are alike, one column for each target. */
    private static List<Object> transformations(Panel panel) {
        Map<String, Object> names = new LinkedHashMap<>();
        Map<String, Object> order = new LinkedHashMap<>();
        panel.columns.forEach(column -> order.put(column, order.size()));
        for (int index = 0; index < panel.targets.size(); index++) {
            String value = panel.targets.size() == 1 ? "Value" : "Value #" + letter(index);
            names.put(value, panel.targets.get(index).name());
            order.put(value, order.size());
        }
        return List.of(
                map("id", "merge", "options", map()),
                map(
                        "id",
                        "organize",
                        "options",
                        map("excludeByName", map("Time", true), "indexByName", order, "renameByName", names)));
    }

    /** The file of a dashboard. */
    static String file(Uid of) {
        return of.uid() + ".json";
    }
}
