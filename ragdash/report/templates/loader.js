"use strict";
(async () => {
  addEventListener("beforeprint", () => document.querySelectorAll("details.paper").forEach((one) => { one.open = true; }));
  if (!("DecompressionStream" in window)) return;
  const bytes = Uint8Array.from(atob(document.getElementById("packed").textContent), (sign) => sign.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(unpacked).text();
  document.head.append(script);
  if (!window.Plotly) return;
  const look = getComputedStyle(document.body);
  const config = {
    responsive: true, displaylogo: false, modeBarButtons: [["toImage"]],
    toImageButtonOptions: { format: "png", scale: 3 },
  };
  for (const box of document.querySelectorAll(".live")) {
    const figure = JSON.parse(document.getElementById(box.dataset.figure).textContent);
    figure.layout.font = { ...figure.layout.font, color: look.color, family: look.fontFamily };
    for (const axis of ["xaxis", "yaxis"]) {
      if (figure.layout[axis]?.title) figure.layout[axis].title.font = { size: 13 };
    }
    box.parentElement.classList.add("drawn");
    try {
      await window.Plotly.newPlot(box, figure.data, figure.layout, config);
    } catch (error) {
      box.parentElement.classList.remove("drawn");
      console.error(error);
    }
  }
})();
