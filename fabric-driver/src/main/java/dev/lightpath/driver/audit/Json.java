package dev.lightpath.driver.audit;

/** One flat JSON object being written. */
final class Json {
    private final StringBuilder fields = new StringBuilder();

    Json text(String name, String value) {
        return raw(name, quoted(value));
    }

    Json raw(String name, String json) {
        if (!fields.isEmpty()) {
            fields.append(',');
        }
        fields.append(quoted(name)).append(':').append(json);
        return this;
    }

    Json and(Json more) {
        if (!fields.isEmpty() && !more.fields.isEmpty()) {
            fields.append(',');
        }
        fields.append(more.fields);
        return this;
    }

    /** The fields as they stand in a longer object. */
    String field() {
        return fields.toString();
    }

    @Override
    public String toString() {
        return "{" + fields + "}";
    }

    private static String quoted(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
