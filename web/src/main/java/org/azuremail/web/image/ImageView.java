package org.azuremail.web.image;

import org.azuremail.content.Escaping;
import org.azuremail.image.Image;

/**
 * An image with the texts that put it into a message.
 *
 * @param address the address in emails
 */
public record ImageView(Image image, String address) {

    /** Returns the size of the file in kilobytes, at least 1. */
    public int kilobytes() {
        return Math.max(1, image.bytes() / 1024);
    }

    public String markdown() {
        return "![" + image.alt().replaceAll("[\\\\`*_\\[\\]<>&!~]", "\\\\$0") + "](" + address + ")";
    }

    public String html() {
        return "<img src=\"" + address + "\" alt=\"" + Escaping.HTML.apply(image.alt()) + "\" width=\""
                + image.shownWidth() + "\" style=\"max-width:100%;height:auto\">";
    }
}
