package org.azuremail.gallery;

import java.net.URI;
import java.util.Map;
import org.azuremail.content.Frame;
import org.azuremail.list.Brand;
import org.azuremail.list.MailingList;
import org.azuremail.listmail.Links;

/**
 * The values of a list and of a message for a template.
 *
 * @param language a BCP 47 tag
 * @param values by field; an empty value counts as missing
 */
public record Look(String language, Map<String, String> values) {

    /** A value for every field, to test a template. */
    static final Look FULL =
            new Look("en", values("#0069c2", "#ffffff", "https://example.org/logo.png", "1 Main St", "Hi"));

    /** Only the values that every list has, to test a template. */
    static final Look BARE = new Look("en", values("#0069c2", "#ffffff", "", "", ""));

    public Look {
        values = Map.copyOf(values);
    }

    /** @param preview the preview text; may be empty, and may have merge fields */
    public static Look of(MailingList list, String preview, URI publicUrl) {
        Brand brand = list.brand();
        return new Look(
                list.language(),
                values(
                        brand.buttonColor(),
                        brand.textColor(),
                        brand.logo() == null ? "" : Links.logo(publicUrl, brand.logo()),
                        brand.address() == null ? "" : brand.address(),
                        preview.replace(Mjml.CONTENT, "")));
    }

    private static Map<String, String> values(
            String color, String textColor, String logo, String address, String preview) {
        return Map.of(
                "color", color, "text-color", textColor, "logo", logo, "list-address", address, "preview", preview);
    }

    String value(String field) {
        return values.getOrDefault(field, "");
    }

    Frame.Buttons buttons() {
        return new Frame.Buttons(value("color"), value("text-color"));
    }
}
