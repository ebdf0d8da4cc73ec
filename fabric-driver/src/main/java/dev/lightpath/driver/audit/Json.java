package dev.lightpath.driver.audit;

/** One flat JSON object being written. */
final class Json {
    private final StringBuilder fields = new StringBuilder();

    Json text(String name, String value) {
        begin(name);
        quote(value);
        return this;
    }

    Json raw(String name, String json) {
        begin(name);
        fields.append(json);
        return this;
    }

    private void begin(String name) {
        if (!fields.isEmpty()) {
            fields.append(',');
        }
        quote(name);
        fields.append(':');
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

    private void quote(String value) {
        fields.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                fields.append('\\').append(c);
            } else if (c < ' ') {
                fields.append("\\u%04x".formatted((int) c));
            } else {
                fields.append(c);
            }
        }
        fields.append('"');
    }
}
