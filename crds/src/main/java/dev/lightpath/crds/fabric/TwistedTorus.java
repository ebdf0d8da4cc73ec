package dev.lightpath.crds.fabric;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Cubes of 4x4x4 chips in a box. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = "self.cubes.matches('^[1-9][0-9]{0,2}x[1-9][0-9]{0,2}x[1-9][0-9]{0,2}$')",
        message = "cubes must be three whole numbers from 1 to 999 joined by x, for example 2x2x4")
public record TwistedTorus(
        @JsonPropertyDescription("Cubes along x, y and z, for example 2x2x4.") @Required @Size(min = 5, max = 11)
        String cubes) {}
