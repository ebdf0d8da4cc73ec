package dev.lightpath.crds.job;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Shape of a slice on a fabric of twisted tori. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value =
                "self.chips.matches('^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$') && self.chips.split('x').all(n, int(n) % 4 == 0)",
        message = "chips must be three multiples of 4 joined by x, for example 4x4x8: a cube has 4x4x4 chips")
public record TorusShape(
        @JsonPropertyDescription("Chips along x, y and z, each a multiple of 4, for example 4x4x8.")
        @Required
        @Size(min = 5, max = 14)
        String chips) {}
